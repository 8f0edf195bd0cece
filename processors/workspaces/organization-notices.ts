import type { Actor } from '../../schemas/base/command.ts';
import type { Refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { Effect, FoldContext, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

type Notice =
  | 'attachment-confirmed'
  | 'attachment-released'
  | 'claim-confirmed'
  | 'claim-released'
  | 'workspace-erased';

/** The command that tells an organization the outcome of its reservation, or the erasure of its workspace. */
export function notifyOrganization(type: Notice, organizationId: string, context: FoldContext): Effect {
  return {
    kind: 'command',
    topic: 'organizations',
    key: organizationId,
    type,
    input: { workspaceId: workspaceOf(context.aggregate) },
  };
}

/** Has an action of the operator recorded in the log of the organization whose workspace it is, beside that of the operators. */
export function recordedForOwner(
  { attachment }: WorkspaceDocument,
  { kind, organizationId }: Actor,
): { readonly recordedIn?: readonly string[] } {
  if (kind !== 'operator' || attachment === null || organizationId === undefined) return {};
  return { recordedIn: [...new Set([attachment.organizationId, organizationId])] };
}

type Reserved = Scope<WorkspacesFold, 'attach' | 'claim'>;

/** Refuses a command, and releases the reservation of its organization. */
export function refuseAndRelease(
  { input, context }: Pick<Reserved, 'input' | 'context'>,
  notice: 'attachment-released' | 'claim-released',
  reason: Refusal,
): FoldResult<WorkspacesFold, 'attach' | 'claim'> {
  return refused(reason, [notifyOrganization(notice, input.organizationId, context)]);
}
