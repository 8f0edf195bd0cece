import { workspaceOf } from '../../schemas/base/ids.ts';
import { CLAIMS_ROW, type ClaimsDocument, timelineId } from '../../schemas/organizations/documents.ts';
import type { CommandHandler, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { DONE, deferredTo, refused, refusedFor } from '../runtime/fold/results.ts';
import { workspaceRow } from './attach.ts';
import { memberRow, roleRefusal } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/**
 * Checks that the caller is an owner or admin now, reserves one of the organization's places, and lets the workspace
 * decide and answer (infra/docs/decisions/0009-follow-ups-with-reservation.md). A workspace that has a place already
 * decides again: its answer is the same.
 */
export const reserveClaim: CommandHandler<OrganizationsFold, 'claim'> = {
  reads: ({ actor }) => [memberRow(actor.id), CLAIMS_ROW],
  fold(scope) {
    const { input, actor, context, limits } = scope;
    const forbidden = roleRefusal(scope, ['owner', 'admin'], 'claim');
    if (forbidden !== null) return refused(forbidden);
    const { installationId, evidence } = input;
    const workspaceId = workspaceOf(installationId);
    const places = placesOf(scope);
    const known = places.some((place) => place.workspaceId === workspaceId);
    const placesMax = limits.workspace.claimedPerOrganization;
    if (!known && places.length >= placesMax) {
      return refusedFor('limit_reached', {
        at: 'organization.claimedWorkspaces',
        seen: `${places.length} that are claimed`,
        expected: `fewer; erasing one of at most ${placesMax} frees its place`,
      });
    }
    return {
      ...deferredTo({
        topic: 'workspaces',
        key: installationId,
        type: 'claim',
        input: { organizationId: context.aggregate, userId: actor.id, evidence },
      }),
      ...(known ? {} : withPlaces([...places, { workspaceId, state: 'reserved' }])),
    };
  },
};

/** The workspace is claimed: it keeps its place until it is erased. */
export const confirmClaim: CommandHandler<OrganizationsFold, 'claim-confirmed'> = {
  reads: () => [CLAIMS_ROW],
  fold(scope) {
    const {
      input: { workspaceId },
    } = scope;
    const others = placesOf(scope).filter((place) => place.workspaceId !== workspaceId);
    return { ...DONE, ...withPlaces([...others, { workspaceId, state: 'claimed' }]) };
  },
};

/** The workspace refused: its place is free again, unless another attempt has claimed it. */
export const releaseClaim: CommandHandler<OrganizationsFold, 'claim-released'> = {
  reads: () => [CLAIMS_ROW],
  fold(scope) {
    const {
      input: { workspaceId },
    } = scope;
    const places = placesOf(scope);
    const left = places.filter((place) => place.workspaceId !== workspaceId || place.state === 'claimed');
    return left.length === places.length ? DONE : { ...DONE, ...withPlaces(left) };
  },
};

/** Checks that the caller is an owner now, and lets the workspace erase itself and answer. */
export const requestErasure: CommandHandler<OrganizationsFold, 'erase-workspace'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), workspaceRow(workspaceOf(input.installationId))],
  admitsUnreadable: ['workspace'],
  fold(scope) {
    const { row, input, context } = scope;
    const forbidden = roleRefusal(scope, ['owner'], 'erase');
    if (forbidden !== null) return refused(forbidden);
    const isListed = row('workspace', workspaceOf(input.installationId))?.state === 'attached';
    return {
      ...deferredTo({
        topic: 'workspaces',
        key: input.installationId,
        type: 'erase',
        input: { organizationId: context.aggregate, ...(isListed ? { listed: true as const } : {}) },
      }),
    };
  },
};

/** The workspace is erased: the organization forgets it, and its places are free. */
export const releaseErased: CommandHandler<OrganizationsFold, 'workspace-erased'> = {
  reads: ({ input }) => [workspaceRow(input.workspaceId), CLAIMS_ROW],
  admitsUnreadable: ['workspace', 'claims'],
  fold(scope) {
    const {
      row,
      salvaged,
      input: { workspaceId },
    } = scope;
    // Places that cannot be read stay: this is no reason to free all of them.
    const { put, remove } =
      salvaged(CLAIMS_ROW.kind, CLAIMS_ROW.id) === null
        ? withPlaces(placesOf(scope).filter((place) => place.workspaceId !== workspaceId))
        : { put: [], remove: [] };
    const { at } = row('workspace', workspaceId) ?? salvaged('workspace', workspaceId) ?? {};
    return {
      ...DONE,
      put,
      remove: [
        ...remove,
        workspaceRow(workspaceId),
        ...(at === undefined ? [] : [{ kind: 'timeline' as const, id: timelineId(at, workspaceId) }]),
      ],
    };
  },
};

function placesOf({ row }: Pick<Scope<OrganizationsFold>, 'row'>): ClaimsDocument['workspaces'] {
  return row(CLAIMS_ROW.kind, CLAIMS_ROW.id)?.workspaces ?? [];
}

/** The change that stores the places: without any there is no row, as before the first one. */
function withPlaces(
  workspaces: ClaimsDocument['workspaces'],
): Required<Pick<FoldResult<OrganizationsFold>, 'put' | 'remove'>> {
  return workspaces.length === 0
    ? { put: [], remove: [CLAIMS_ROW] }
    : { put: [{ ...CLAIMS_ROW, document: { workspaces } }], remove: [] };
}
