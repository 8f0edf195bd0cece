import type { Refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import type { WorkspaceResult } from './result.ts';

type Notice =
  | 'attachment-confirmed'
  | 'attachment-released'
  | 'claim-confirmed'
  | 'claim-released'
  | 'workspace-erased';

/** Tells an organization what became of what it asked for (design rule 7). */
export function notifyOrganization(type: Notice, organizationId: string, context: FoldContext): Effect {
  return {
    kind: 'command',
    topic: 'organizations',
    key: organizationId,
    type,
    input: { workspaceId: workspaceOf(context.aggregate) },
  };
}

/** Refuses, and gives the organization its reservation back. */
export function released(
  notice: 'attachment-released' | 'claim-released',
  reason: Refusal,
  { organizationId }: { readonly organizationId: string },
  context: FoldContext,
): WorkspaceResult {
  return {
    outcome: { kind: 'refused', refusal: reason },
    effects: [notifyOrganization(notice, organizationId, context)],
  };
}
