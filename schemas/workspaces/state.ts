import { type Refusal, refusal } from '../base/errors.ts';
import { isoTime } from '../base/time.ts';
import type { OptIn } from '../products.ts';
import type { Lifecycle, Plan } from './lifecycle.ts';

/** The part of a workspace that the gateway and the products see. */
export interface WorkspaceView {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly name: string;
  /** The organization it is attached to, or null. */
  readonly organizationId: string | null;
  /** Stands for the address that created it as a preview; null once claimed, and where it is not known. */
  readonly creator: string | null;
  readonly state: Lifecycle['state'];
  readonly plan: Plan;
  readonly expiresAt: number | null;
  /** The opt-ins. */
  readonly products: readonly OptIn[];
}

/**
 * The state at a time (infra/docs/reference/workspaces.md#states). Expiry wins over a pause. A disconnected workspace
 * stays disconnected until its erasure.
 */
export function effectiveState<State extends Lifecycle['state']>(
  { state, expiresAt }: { readonly state: State; readonly expiresAt: number | null },
  now: number,
): State | 'expired' {
  if (state === 'disconnected' || state === 'erased') return state;
  return expiresAt !== null && now >= expiresAt ? 'expired' : state;
}

/** The refusal of requests about an erased workspace. */
export const WORKSPACE_ERASED = refusal('erased', {
  at: 'workspace.state',
  seen: 'erased',
  expected: 'a workspace that exists',
});

/**
 * The reason why a workspace refuses a request at `now`, or null. A pause refuses only the requests that bring data in or hand
 * it out (infra/docs/reference/workspaces.md#states).
 */
export function workspaceRefusal(
  workspace: Pick<Lifecycle, 'state' | 'expiresAt'>,
  now: number,
  whenPaused: 'refused' | 'allowed',
): Refusal | null {
  const state = effectiveState(workspace, now);
  switch (state) {
    case 'erased':
      return WORKSPACE_ERASED;
    case 'disconnected':
      return refusal('workspace_disconnected', {
        at: 'workspace.state',
        seen: 'disconnected',
        expected: 'active or preview; the owner disconnected it for good',
      });
    case 'expired':
      return refusal('expired', {
        at: 'workspace.state',
        seen: `expired since ${isoTime(workspace.expiresAt ?? now)}`,
        expected: 'a claimed workspace or a preview that has not expired',
      });
    case 'paused':
      return whenPaused === 'allowed'
        ? null
        : refusal('workspace_paused', {
            at: 'workspace.state',
            seen: 'paused',
            expected: 'active; the owner can resume it',
          });
    case 'preview':
    case 'active':
      return null;
  }
}
