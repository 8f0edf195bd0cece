import type { UseInfiniteQueryResult } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { shortened } from '../../parts/table/identifier.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { runSuiteCommand } from '../../parts/workspace/check-commands.ts';
import type { Run, Suite } from './queries.ts';
import { isOpen } from './run-pace.ts';
import { milliseconds, REASONS, runMs, shownState } from './run-state.ts';

type RunList = Parameters<typeof LoadMore>[0]['query'] & Pick<UseInfiniteQueryResult, 'refetch'>;

interface RunsProps {
  readonly workspaceId: string;
  readonly suites: readonly Suite[];
  /** The suite that the address narrows the runs to. */
  readonly suiteId: string | null;
  readonly runs: readonly Run[] | undefined;
  /** False if there are runs that cannot be read. */
  readonly isWhole: boolean;
  readonly list: RunList;
}

/** The runs of a workspace with their live states. */
export function RunsSection({ workspaceId, suites, suiteId, runs, isWhole, list }: RunsProps) {
  const [address] = useLocation();
  const named = suites.find((suite) => suite.suiteId === suiteId);
  return (
    <section aria-labelledby="runs">
      <div class="section-head">
        <h2 id="runs">Runs</h2>
        <p>{suiteId === null ? 'Newest first' : `Of ${visibleText(named?.name ?? shortened(suiteId))}`}</p>
        {suiteId !== null && (
          <div class="actions">
            <PageLink to={address} isCurrent={false}>
              Show the runs of every suite
            </PageLink>
          </div>
        )}
      </div>
      <ReadProblem query={list} title="The runs could not be read" />
      {runs?.length === 0 && isWhole ? (
        <NoRun suiteId={suiteId ?? suites[0]?.suiteId ?? null} />
      ) : runs === undefined && list.error !== null ? null : (
        <RunsTable workspaceId={workspaceId} runs={runs} suites={suites} />
      )}
      <LoadMore query={list} />
    </section>
  );
}

function NoRun({ suiteId }: { readonly suiteId: string | null }) {
  return (
    <div class="panel panel-body suite-way">
      <p class="wait" role="status">
        <span class="pulse" aria-hidden="true" />
        Waiting for the first run. It appears here automatically.
      </p>
      {suiteId !== null && <Command command={runSuiteCommand(suiteId)} />}
    </div>
  );
}

interface RunsTableProps {
  readonly workspaceId: string;
  readonly runs: readonly Run[] | undefined;
  readonly suites: readonly Suite[];
}

function RunsTable({ workspaceId, runs, suites }: RunsTableProps) {
  return (
    <Table
      label="Runs table"
      class="runs-list"
      columns={['Run', 'Suite', 'State', 'Reason', ['Took', 'n'], ['Requested', 'end']]}
    >
      {runs === undefined ? (
        <RowsSkeleton rows={4} columns={6} />
      ) : (
        <Rows>
          {runs.map((run) => (
            <RunRow
              key={run.runId}
              to={`/agent-workspaces/${workspaceId}/checks/${run.runId}`}
              run={run}
              suite={suites.find(({ suiteId }) => suiteId === run.suiteId)?.name ?? shortened(run.suiteId)}
            />
          ))}
        </Rows>
      )}
    </Table>
  );
}

interface RunRowProps {
  readonly to: string;
  readonly run: Run;
  readonly suite: string;
}

function RunRow({ to, run, suite }: RunRowProps) {
  const { word, tone, about } = shownState(run);
  const took = runMs(run);
  return (
    <tr>
      <th scope="row">
        <PageLink to={to}>
          <code>{shortened(run.runId)}</code>
        </PageLink>
      </th>
      <td class="clip" title={visibleText(suite)}>
        {visibleText(suite)}
      </td>
      <td>
        <State tone={tone} title={about}>
          {word}
        </State>
      </td>
      <td>{run.failure === null ? <span class="muted">none</span> : REASONS[run.failure.reason].title}</td>
      <td class="n">
        {took === null ? (
          <span class="muted">{isOpen(run) ? 'not yet' : 'not begun'}</span>
        ) : (
          milliseconds(took)
        )}
      </td>
      <td class="end muted">
        <RelativeTime at={run.requestedAt} />
      </td>
    </tr>
  );
}
