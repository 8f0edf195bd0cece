import type { Schemas } from '../../api/interface.ts';
import { Shape } from '../../parts/state.tsx';

const STOPS: Partial<
  Readonly<Record<Schemas['WorkspaceState'], { readonly what: string; readonly why: string }>>
> = {
  paused: {
    what: 'New runs are refused',
    why: 'The workspace is paused. Runs that have begun end; resume it on its overview to request others.',
  },
  expired: {
    what: 'No run can be requested any more',
    why: 'The preview ended before it was claimed, and its pictures with it. Results stay until the erasure.',
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
