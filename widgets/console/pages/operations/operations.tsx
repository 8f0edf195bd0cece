import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/skeleton.tsx';
import { toast } from '../../parts/toast.tsx';
import { DeadLetters } from './dead-letters.tsx';
import '../../style/operations.css';

type Switches = Schemas['Switches'];
type SwitchName = keyof Switches;

const SWITCHES: readonly { readonly name: SwitchName; readonly label: string; readonly about: string }[] = [
  { name: 'creation', label: 'Workspace creation', about: 'New previews, by agents without an account' },
  { name: 'feedback', label: 'Feedback submissions', about: 'What visitors send with feedback widgets' },
  { name: 'runs', label: 'Check runs', about: 'New runs of browser checks; runs that wait are still taken' },
];

const switchesQuery = queryOptions({
  queryKey: ['switches'],
  queryFn: () => answer(api.GET('/v1/ops/switches')),
});

/** `/ops`: what an operator decides while the service runs. */
export function OperationsPage() {
  const switches = useQuery(switchesQuery);
  return (
    <>
      <PageHead title="Operations" meta={<span>The whole service, for every organization</span>} />
      <div class="stack">
        {switches.error !== null && (
          <ProblemPanel
            error={switches.error}
            title="The switches could not be read"
            onRetry={() => void switches.refetch()}
          />
        )}
        {switches.isPending ? <PanelSkeleton /> : switches.data && <SwitchList switches={switches.data} />}
        {/* Below what has its height, so that it stays where it appears. */}
        {!switches.isPending && <DeadLetters />}
      </div>
    </>
  );
}

function SwitchList({ switches }: { readonly switches: Switches }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Switches) => answer(api.PUT('/v1/ops/switches', { body })),
    onSuccess: (set) => queries.setQueryData(switchesQuery.queryKey, set),
    onError: () => queries.invalidateQueries({ queryKey: switchesQuery.queryKey }),
  });
  const turn = (name: SwitchName, label: string) => {
    if (change.isPending) return;
    const isOn = !switches[name];
    change.mutate(
      { ...switches, [name]: isOn },
      { onSuccess: () => toast(`${label}: ${isOn ? 'on' : 'off'}`) },
    );
  };
  return (
    <section aria-labelledby="switches">
      <div class="section-head">
        <h2 id="switches">Switches</h2>
        <p>What is off is refused with 503; what has begun continues</p>
      </div>
      {change.error !== null && <ProblemPanel error={change.error} title="The switch was not set" />}
      <ul class="panel switches">
        {SWITCHES.map(({ name, label, about }) => (
          <li key={name}>
            <div>
              <h3 id={`switch-${name}`}>{label}</h3>
              <p id={`about-${name}`}>{about}</p>
            </div>
            <button
              type="button"
              role="switch"
              class="switch"
              aria-checked={switches[name]}
              aria-labelledby={`switch-${name}`}
              aria-describedby={`about-${name}`}
              onClick={() => turn(name, label)}
            >
              <span aria-hidden="true">{switches[name] ? 'On' : 'Off'}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
