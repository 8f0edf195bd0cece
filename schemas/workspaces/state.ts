import { type Refusal, refusal } from '../base/errors.ts';
import { isoTime } from '../base/time.ts';
import type { Lifecycle, Plan, Product } from './lifecycle.ts';

/** What the gateway and the products see of a workspace. */
export interface WorkspaceView {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly name: string;
  /** The organization it is attached to, or null. */
  readonly organizationId: string | null;
  readonly state: Lifecycle['state'];
  readonly plan: Plan;
  readonly expiresAt: number | null;
  readonly products: readonly Product[];
}

export type EffectiveWorkspaceState = Lifecycle['state'] | 'expired';

/** The state as of a time. Expiry wins over a pause; disconnected is final (contract B). */
export function effectiveState(
  workspace: Pick<Lifecycle, 'state' | 'expiresAt'>,
  now: number,
): EffectiveWorkspaceState {
  if (workspace.state === 'disconnected') return 'disconnected';
  return workspace.expiresAt !== null && now >= workspace.expiresAt ? 'expired' : workspace.state;
}

/**
 * Why a workspace refuses a request just now, or null. A pause stops what brings data in or hands it out; everything
 * else goes on (contract B).
 */
export function workspaceRefusal(
  workspace: Pick<Lifecycle, 'state' | 'expiresAt'>,
  now: number,
  whenPaused: 'refused' | 'allowed',
): Refusal | null {
  const state = effectiveState(workspace, now);
  switch (state) {
    case 'disconnected':
      return refusal('workspace_disconnected', 'The owner disconnected this workspace.');
    case 'expired':
      return refusal('expired', `The preview ended at ${isoTime(workspace.expiresAt ?? now)}.`);
    case 'paused':
      return whenPaused === 'allowed'
        ? null
        : refusal('workspace_paused', 'The owner paused this workspace.');
    case 'preview':
    case 'active':
      return null;
  }
}
