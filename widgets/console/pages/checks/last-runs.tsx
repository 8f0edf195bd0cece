import { PageLink } from '../../parts/frame/page-link.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { Shape } from '../../parts/table/state.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import type { Run, Suite } from './queries.ts';
import { isOpen } from './run-pace.ts';
import { REASONS, shownState } from './run-state.ts';

interface LastRunsProps {
  readonly workspaceId: string;
  readonly suites: readonly Suite[];
  /** Newest first; undefined while they are read. */
  readonly runs: readonly Run[] | undefined;
  /** False if suites or runs cannot be read: it is not known that all passed. */
  readonly isWhole: boolean;
}

/** The state of all suites in a sentence: those whose last run did not pass, each with its reason, or that all passed. */
export function LastRuns({ workspaceId, suites, runs, isWhole }: LastRunsProps) {
  if (runs === undefined || suites.length === 0) return null;
  const ended = runs.filter((run) => !isOpen(run));
  const last = suites.flatMap((suite) => {
    const run = ended.find(({ suiteId }) => suiteId === suite.suiteId);
    return run === undefined ? [] : [{ suite, run, shown: shownState(run) }];
  });
  const wrong = last.filter(({ shown }) => shown.tone !== 'ok');
  if (last.length === 0 || (wrong.length === 0 && !isWhole)) return null;
  if (wrong.length === 0) {
    return (
      <p class="notice ok">
        <Shape tone="ok" />
        <span>
          {last.length === suites.length
            ? 'The last run of every suite passed.'
            : `The last run of ${counted(last.length, 'suite')} passed. ${counted(suites.length - last.length, 'suite')} had no run lately.`}
        </span>
      </p>
    );
  }
  return (
    <div class="notice bad">
      <Shape tone="bad" />
      <div>
        {wrong.map(({ suite, run, shown }) => (
          <p key={suite.suiteId}>
            <PageLink to={`/agent-workspaces/${workspaceId}/checks/${run.runId}`}>
              {visibleText(suite.name)}
            </PageLink>
            {`: ${run.failure === null ? shown.word : REASONS[run.failure.reason].title}, `}
            <RelativeTime at={run.requestedAt} />
          </p>
        ))}
      </div>
    </div>
  );
}
