import { useLocation, useSearchParams } from 'wouter-preact';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { createSuiteCommand, runSuiteCommand } from '../../parts/workspace/check-commands.ts';
import { useRunSuite } from './check-changes.ts';
import { CreateSuite } from './create-suite.tsx';
import type { Origin, Profile, Suite } from './queries.ts';
import { milliseconds } from './run-state.ts';
import { stepWords } from './step-words.ts';
import { copyOf } from './suite-form.ts';

/** The acts of this section in the address. */
const CREATE = 'create-suite';
const COPY = 'copy-suite';

interface SuitesProps {
  readonly workspaceId: string;
  readonly suites: readonly Suite[];
  readonly profiles: readonly Profile[];
  readonly origins: readonly Origin[];
  /** False if there are suites that cannot be read. */
  readonly isWhole: boolean;
}

/** The suites of a workspace. The one in the address shows its steps, and narrows the runs below. */
export function SuitesSection({ workspaceId, suites, profiles, origins, isWhole }: SuitesProps) {
  const { role } = useMembership();
  const run = useRunSuite(workspaceId);
  const [search] = useSearchParams();
  const [act, ask] = useAsked('do');
  const chosen = suites.find(({ suiteId }) => suiteId === search.get('suite'));
  const [first, ...others] = mayDecide(role) ? origins.filter(({ state }) => state === 'verified') : [];
  const from = copied(act, chosen);
  return (
    <section aria-labelledby="suites">
      <div class="section-head">
        <h2 id="suites">Suites</h2>
        <p>
          {suites.length === 0
            ? isWhole
              ? 'None yet'
              : 'None can be read'
            : 'The pages a run opens and what it expects. Suites never change.'}
        </p>
        {first !== undefined && (
          <div class="actions">
            <button
              type="button"
              class={`btn ${suites.length === 0 ? 'primary' : ''}`}
              onClick={() => ask(CREATE)}
            >
              Create suite
            </button>
          </div>
        )}
      </div>
      {suites.length === 0 ? (
        <NoSuite origins={origins} />
      ) : (
        <>
          <ProblemPanel
            error={run.error}
            act={{ thing: run.variables?.name ?? 'the suite', done: 'run' }}
            onRetry={run.repeat}
          />
          <SuitesTable
            suites={suites}
            profiles={profiles}
            chosen={chosen?.suiteId ?? null}
            onRun={mayDecide(role) ? (suite) => !run.isPending && run.mutate(suite) : null}
          />
          {chosen && <ChosenSuite suite={chosen} onCopy={first && (() => ask(COPY))} />}
        </>
      )}
      {!mayDecide(role) && (
        <p class="hint under">An owner or admin creates and runs suites. Ask one of them.</p>
      )}
      {first !== undefined && from !== undefined && (
        <CreateSuite
          workspaceId={workspaceId}
          origins={[first, ...others]}
          profiles={profiles}
          from={from}
          onClose={() => ask(null)}
          onMade={(made, runs) => {
            ask(null);
            toast(`Suite “${visibleText(made.name)}” created`);
            if (runs) run.mutate(made);
          }}
        />
      )}
    </section>
  );
}

/** The suite that the form begins with: null for none, undefined while no form is open. */
function copied(act: string | null, chosen: Suite | undefined): Suite | null | undefined {
  if (act === CREATE) return null;
  return act === COPY ? chosen : undefined;
}

function NoSuite({ origins }: Pick<SuitesProps, 'origins'>) {
  const origin = origins.find(({ state }) => state === 'verified') ?? origins[0];
  return (
    <div class="panel panel-body suite-way">
      <p>A suite opens pages of a proved origin and looks for what they should show.</p>
      <Command
        command={createSuiteCommand(
          origin?.originId ?? '$ORIGIN_ID',
          origin?.origin ?? 'https://app.example.com',
        )}
      />
    </div>
  );
}

interface SuitesTableProps {
  readonly suites: readonly Suite[];
  readonly profiles: readonly Profile[];
  readonly chosen: string | null;
  /** Null for members, who run nothing. */
  readonly onRun: ((suite: Suite) => void) | null;
}

function SuitesTable({ suites, profiles, chosen, onRun }: SuitesTableProps) {
  return (
    <Table
      label="Suites table"
      class="suites-list"
      columns={['Suite', 'Flows and steps', 'Access profile', 'Id', 'Created', { hidden: 'Actions' }]}
    >
      <Rows>
        {suites.map((suite) => (
          <SuiteRow
            key={suite.suiteId}
            suite={suite}
            profile={profiles.find(({ accessProfileId }) => accessProfileId === suite.accessProfileId)}
            isChosen={suite.suiteId === chosen}
            onRun={onRun}
          />
        ))}
      </Rows>
    </Table>
  );
}

interface SuiteRowProps extends Pick<SuitesTableProps, 'onRun'> {
  readonly suite: Suite;
  readonly profile: Profile | undefined;
  readonly isChosen: boolean;
}

function SuiteRow({ suite, profile, isChosen, onRun }: SuiteRowProps) {
  const { suiteId, flows, accessProfileId, createdAt } = suite;
  const [address] = useLocation();
  const name = visibleText(suite.name);
  const steps = flows.reduce((sum, flow) => sum + flow.steps.length, 0);
  const longest = flows.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
  return (
    <tr class={isChosen ? 'chosen' : undefined}>
      <th scope="row" class="clip" title={name}>
        <PageLink to={isChosen ? address : `${address}?suite=${suiteId}`} isCurrent={isChosen}>
          {name}
        </PageLink>
      </th>
      <td>
        {`${counted(flows.length, 'flow')}, ${counted(steps, 'step')}, `}
        <span class="muted">{`at most ${milliseconds(longest)}`}</span>
      </td>
      <td class="clip">
        {accessProfileId === null ? (
          <span class="muted">Desktop</span>
        ) : (
          visibleText(profile?.name ?? accessProfileId)
        )}
      </td>
      <td>
        <Identifier value={suiteId} name={`id of ${name}`} />
      </td>
      <td class="muted">
        <RelativeTime at={createdAt} />
      </td>
      <td class="end">
        <span class="row-actions">
          {onRun !== null && (
            <button type="button" class="btn small" onClick={() => onRun(suite)}>
              Run<span class="vh"> {name}</span>
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

interface ChosenSuiteProps {
  readonly suite: Suite;
  /** Absent for members, and without a proved origin. */
  readonly onCopy: (() => void) | undefined;
}

/** The steps of a suite, the way to another one like it, and the command that runs it. */
function ChosenSuite({ suite, onCopy }: ChosenSuiteProps) {
  const { suiteId, name, flows } = suite;
  return (
    <>
      <section class="panel suite-steps" aria-label={`Steps of ${visibleText(name)}`}>
        {flows.map((flow) => (
          <div key={flow.name}>
            <h3>
              {visibleText(flow.name)} <span class="muted">{`within ${milliseconds(flow.timeoutMs)}`}</span>
            </h3>
            <ol>
              {flow.steps.map((step, at) => (
                <li key={at}>{stepWords(step)}</li>
              ))}
            </ol>
          </div>
        ))}
        {onCopy !== undefined && copyOf(suite) !== null && (
          <button type="button" class="btn small" onClick={onCopy}>
            Copy and change…
          </button>
        )}
      </section>
      <Command command={runSuiteCommand(suiteId)} />
    </>
  );
}
