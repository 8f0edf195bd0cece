import type { Schemas } from '../../api/interface.ts';
import { Shape } from '../../parts/table/state.tsx';

const STOPS: Partial<
  Readonly<Record<Schemas['WorkspaceState'], { readonly what: string; readonly why: string }>>
> = {
  paused: {
    what: 'New runs are refused',
    why: 'The workspace is paused. Runs already started finish. Resume the workspace on the overview to start others.',
  },
  expired: {
    what: 'No run can be requested any more',
    why: 'The preview ended before anyone claimed it. The screenshots are deleted; results stay until you erase the workspace.',
  },
  disconnected: {
    what: 'No run can be requested any more',
    why: 'The workspace is disconnected for good. Results stay until the erasure.',
  },
};

/** The reason for which a workspace takes no runs, in place; nothing for one that takes them. */
export function WorkspaceNotice({ state }: { readonly state: Schemas['WorkspaceState'] | undefined }) {
  const stop = state === undefined ? undefined : STOPS[state];
  if (stop === undefined) return null;
  return (
    <div class="notice">
      <Shape tone="idle" />
      <div>
        <strong>{stop.what}</strong>
        {stop.why}
      </div>
    </div>
  );
}
