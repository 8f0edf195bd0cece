import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { membersQuery } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useOpened } from '../../parts/form/use-asked.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel, ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { recentTime } from '../../parts/table/time.tsx';
import { auditEntriesQuery, type Entry } from '../audit/queries.ts';
import type { Activity } from './queries.ts';

type Switches = Schemas['Switches'];
type SwitchName = keyof Switches;

/** Between two readings of what another operator may have set. */
const WATCH_MS = 5_000;

/** The action of a change in the audit log. */
const ACTION = 'organizations.set-switches';

interface Switch {
  readonly name: SwitchName;
  readonly label: string;
  readonly about: string;
  /** The effect of switching it off. */
  readonly stops: string;
}

const SWITCHES: readonly Switch[] = [
  {
    name: 'creation',
    label: 'Workspace creation',
    about: 'New previews, by agents without an account',
    stops: 'No agent can create a workspace',
  },
  {
    name: 'feedback',
    label: 'Feedback submissions',
    about: 'What visitors send with feedback widgets',
    stops: 'No visitor can send feedback',
  },
  {
    name: 'runs',
    label: 'Check runs',
    about: 'New runs of browser checks; runs that wait are still taken',
    stops: 'No agent and no person can start a run',
  },
];

const switchesQuery = queryOptions({
  queryKey: ['switches'],
  queryFn: () => answer(api.GET('/v1/ops/switches')),
  refetchInterval: WATCH_MS,
});

/** The new things that an operator can stop while the service runs. */
export function SwitchesSection({ activity }: { readonly activity: Activity | undefined }) {
  const switches = useQuery(switchesQuery);
  return (
    <section aria-labelledby="switches">
      <div class="section-head">
        <h2 id="switches">Switches</h2>
        <p>Requests for what is off get 503</p>
      </div>
      <ReadProblem query={switches} title="The switches could not be read" />
      {switches.isPending ? (
        <PanelSkeleton />
      ) : (
        switches.data && <SwitchList switches={switches.data} activity={activity} />
      )}
    </section>
  );
}

interface SwitchListProps {
  readonly switches: Switches;
  readonly activity: Activity | undefined;
}

function SwitchList({ switches, activity }: SwitchListProps) {
  const queries = useQueryClient();
  const isAnyOff = Object.values(switches).includes(false);
  const changes = useInfiniteQuery({ ...auditEntriesQuery(CHANGES), enabled: isAnyOff });
  const people = useQuery({ ...membersQuery, enabled: isAnyOff });
  const [asked, ask] = useOpened<Switch>();
  const change = useChange({
    send: (body: Partial<Switches>) => answer(api.PATCH('/v1/ops/switches', { body })),
    afterLoss: async (body) => {
      const now = await queries.fetchQuery({ ...switchesQuery, staleTime: 0 });
      const isSet = SWITCHES.every(({ name }) => body[name] === undefined || body[name] === now[name]);
      return isSet ? { answer: now } : null;
    },
    onSuccess: (set) => {
      queries.setQueryData(switchesQuery.queryKey, set);
      void queries.invalidateQueries({ queryKey: ['audit'] });
    },
    onError: () => queries.invalidateQueries({ queryKey: switchesQuery.queryKey }),
  });
  const turn = ({ name, label }: Switch, isOn: boolean) => {
    if (change.isPending) return;
    // The others may have been set by another operator meanwhile.
    change.mutate(
      { [name]: isOn },
      { onSuccess: () => toast(`${label}: ${isOn ? 'on' : 'off'}`), onSettled: () => ask(null) },
    );
  };
  const entries = changes.data?.pages.flatMap((page) => page.entries) ?? [];
  const nameOf = (userId: string) => {
    const member = people.data?.members.find((each) => each.userId === userId);
    return member === undefined ? userId : personName(member);
  };
  return (
    <>
      {change.error !== null && (
        <ProblemPanel error={change.error} act={{ thing: 'the switch', done: 'set' }} />
      )}
      <ul class="panel switches">
        {SWITCHES.map((each) => (
          <SwitchRow
            key={each.name}
            each={each}
            isOn={switches[each.name]}
            said={
              switches[each.name]
                ? (latelyOf(each.name, activity) ?? each.about)
                : offText(entries, each.name, nameOf)
            }
            onTurn={() => (switches[each.name] ? ask(each) : turn(each, true))}
          />
        ))}
      </ul>
      {asked !== null && (
        <ConfirmDialog
          title={`Switch off ${asked.label.toLowerCase()}`}
          hint={`${asked.stops}, in any organization: each attempt gets 503 until it is on again.`}
          verb="Switch off"
          keep="Keep it on"
          isPending={change.isPending}
          onConfirm={() => turn(asked, false)}
          onClose={() => ask(null)}
        />
      )}
      <p class="hint below">
        What has started continues. <PageLink to={`/audit?what=${ACTION}`}>Every change</PageLink> is in the
        audit log.
      </p>
    </>
  );
}

interface SwitchRowProps {
  readonly each: Switch;
  readonly isOn: boolean;
  /** The latest use, or the person who switched it off. */
  readonly said: string;
  readonly onTurn: () => void;
}

function SwitchRow({ each: { name, label }, isOn, said, onTurn }: SwitchRowProps) {
  return (
    <li>
      <div>
        <h3 id={`switch-${name}`}>{label}</h3>
        <p id={`about-${name}`}>{said}</p>
      </div>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOn}
        aria-labelledby={`switch-${name}`}
        aria-describedby={`about-${name}`}
        onClick={onTurn}
      >
        <span aria-hidden="true">{isOn ? 'On' : 'Off'}</span>
      </button>
    </li>
  );
}

const CHANGES = { who: '', what: ACTION, where: '', from: '', to: '', request: '' };

/** Returns the number of new things since the begin of the hour before this one; null while that is unknown. */
function latelyOf(name: SwitchName, activity: Activity | undefined): string | null {
  const hours = activity?.hours.slice(0, 2) ?? [];
  const since = hours.at(-1)?.at.slice(11, 16);
  if (since === undefined) return null;
  const sum = (countOf: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((total, hour) => total + countOf(hour), 0);
  const texts = {
    creation: () =>
      `${counted(
        sum(({ created }) => created),
        'workspace',
      )} and ${sum(({ refused }) => refused)} refused by address`,
    feedback: () =>
      `${counted(
        sum(({ feedbackAccepted }) => feedbackAccepted),
        'submission',
      )} and ${sum(({ feedbackHeld }) => feedbackHeld)} held`,
    runs: () =>
      counted(
        sum(({ runs }) => runs),
        'run',
      ),
  };
  return `${texts[name]()} since ${since} UTC`;
}

/** Returns the person and the time of a switch that is off, from the first of the latest entries in a row that have it off. */
function offText(entries: readonly Entry[], name: SwitchName, nameOf: (userId: string) => string): string {
  const on = entries.findIndex(({ detail }) => detail?.[name] === true);
  const off = entries.slice(0, on === -1 ? undefined : on).at(-1);
  if (off === undefined) return 'Off';
  const by = off.actor.kind === 'user' && off.actor.id !== null ? ` by ${nameOf(off.actor.id)}` : '';
  return `Off since ${recentTime(off.at)}${by}`;
}
