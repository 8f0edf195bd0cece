import { workspaceOf } from '../../schemas/base/ids.ts';
import { type AttachedWorkspaceDocument, timelineId } from '../../schemas/organizations/documents.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { DONE, deferredTo, refused } from '../runtime/fold/results.ts';
import { memberRow, roleRefusal } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/**
 * Checks that the caller is an owner or admin now, reserves the workspace's place, and lets the workspace decide and
 * answer (infra/docs/decisions/0009-follow-ups-with-reservation.md). An attached workspace decides again: its answer
 * is the same.
 */
export const reserveAttachment: CommandHandler<OrganizationsFold, 'attach'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), workspaceRow(workspaceOf(input.installationId))],
  fold(scope) {
    const { row, input, actor, context } = scope;
    const { installationId, claimDigest, confirmed } = input;
    const forbidden = roleRefusal(scope, ['owner', 'admin'], 'attach');
    if (forbidden !== null) return refused(forbidden);
    const workspaceId = workspaceOf(installationId);
    const known = row('workspace', workspaceId) !== null;
    return {
      ...deferredTo({
        topic: 'workspaces',
        key: installationId,
        type: 'attach',
        input: {
          organizationId: context.aggregate,
          userId: actor.id,
          claimDigest,
          confirmed,
        },
      }),
      put: known ? [] : rowsFor(workspaceId, { state: 'reserved', at: context.now }),
    };
  },
};

/** The workspace is attached, whatever became of the reservation meanwhile. */
export const confirmAttachment: CommandHandler<OrganizationsFold, 'attachment-confirmed'> = {
  reads: ({ input }) => [workspaceRow(input.workspaceId)],
  fold({ row, input: { workspaceId }, context }) {
    const at = row('workspace', workspaceId)?.at ?? context.now;
    return { ...DONE, put: rowsFor(workspaceId, { state: 'attached', at }) };
  },
};

/** The workspace refused: its place is free again, unless another attempt has attached it. */
export const releaseAttachment: CommandHandler<OrganizationsFold, 'attachment-released'> = {
  reads: ({ input }) => [workspaceRow(input.workspaceId)],
  fold({ row, input: { workspaceId } }) {
    const held = row('workspace', workspaceId);
    if (held?.state !== 'reserved') return DONE;
    return {
      ...DONE,
      remove: [workspaceRow(workspaceId), { kind: 'timeline', id: timelineId(held.at, workspaceId) }],
    };
  },
};

function rowsFor(workspaceId: string, document: AttachedWorkspaceDocument) {
  return [
    { ...workspaceRow(workspaceId), document },
    { kind: 'timeline' as const, id: timelineId(document.at, workspaceId), document: { workspaceId } },
  ];
}

/** The row of a workspace that is attached, or about to be. */
export function workspaceRow(workspaceId: string): RowKey & { readonly kind: 'workspace' } {
  return { kind: 'workspace', id: workspaceId };
}
