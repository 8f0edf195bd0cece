import { useSearchParams } from 'wouter-preact';
import type { Schemas } from '../../api/interface.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { count } from '../../parts/table/numbers.ts';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { isWaiting } from './next-action.ts';
import { WAITING } from './workspace-filter.ts';

type State = Schemas['WorkspaceState'];

const STATES = Object.keys(WORKSPACE_STATES) as State[];

interface StateFilterProps {
  readonly workspaces: readonly Pick<Schemas['ListedWorkspace'], 'state' | 'next'>[];
  /** True if these are all workspaces, so that their counts are exact. */
  readonly isWhole: boolean;
}

/** The states as addresses of the list. A state without a workspace is left out, unless it is the chosen one. */
export function StateFilter({ workspaces, isWhole }: StateFilterProps) {
  const [params] = useSearchParams();
  const chosen = params.get('state');
  const waiting = workspaces.filter(isWaiting).length;
  const address = (state: State | typeof WAITING | null) => {
    const next = new URLSearchParams(params);
    if (state === null) next.delete('state');
    else next.set('state', state);
    return next.size === 0 ? '/agent-workspaces' : `/agent-workspaces?${next}`;
  };
  const number = (value: number) => (isWhole ? ` ${count(value)}` : '');
  const of = (state: State) => workspaces.filter((each) => each.state === state).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are links to lists, no fields of a form.
    <div class="segments" role="group" aria-label="State">
      <PageLink to={address(null)} isCurrent={chosen === null}>
        All{number(workspaces.length)}
      </PageLink>
      {(waiting > 0 || chosen === WAITING) && (
        <PageLink to={address(WAITING)} isCurrent={chosen === WAITING}>
          Waits for you{number(waiting)}
        </PageLink>
      )}
      {STATES.filter((state) => of(state) > 0 || state === chosen).map((state) => (
        <PageLink key={state} to={address(state)} isCurrent={chosen === state}>
          {WORKSPACE_STATES[state].word}
          {number(of(state))}
        </PageLink>
      ))}
    </div>
  );
}
