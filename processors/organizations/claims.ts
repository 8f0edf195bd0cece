import type { CommandOf } from '../../schemas/base/command.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import {
  CLAIMS_ROW,
  type ClaimsDocument,
  type Role,
  timelineId,
} from '../../schemas/organizations/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import {
  NOTED,
  type OrganizationInput,
  type OrganizationResult,
  type OrganizationView,
  type UserCommand,
} from './result.ts';

type OrganizationCommand<Type extends string> = Extract<
  CommandOf<typeof organizationsCommands>,
  { type: Type }
>;

/**
 * Checks that whoever asks is an owner or admin now, reserves one of the organization's places, and lets the workspace
 * decide and answer (design rule 7). A workspace that has a place already is asked as well: its answer is the same.
 */
export function reserveClaim(
  view: OrganizationView,
  command: OrganizationCommand<'claim'>,
  context: FoldContext,
  limits: Limits,
): OrganizationResult {
  const forbidden = roleRefusal(view, command, ['owner', 'admin'], 'claim');
  if (forbidden !== null) return refused(forbidden);
  const { installationId, evidence } = command.input;
  const workspaceId = workspaceOf(installationId);
  const places = placesOf(view);
  const known = places.some((place) => place.workspaceId === workspaceId);
  const placesMax = limits.workspace.claimedPerOrganization;
  if (!known && places.length >= placesMax) {
    return refused(
      refusal('limit_reached', {
        at: 'organization.claimedWorkspaces',
        seen: `${places.length} that are claimed`,
        expected: `fewer; erasing one of at most ${placesMax} frees its place`,
      }),
    );
  }
  return {
    outcome: { kind: 'deferred' },
    ...(known ? {} : withPlaces([...places, { workspaceId, state: 'reserved' }])),
    effects: [
      {
        kind: 'command',
        topic: 'workspaces',
        key: installationId,
        type: 'claim',
        input: { organizationId: context.aggregate, userId: command.actor.id, evidence },
        answers: true,
      },
    ],
  };
}

/** The workspace is claimed: it keeps its place until it is erased. */
export function confirmClaim(
  view: OrganizationView,
  { workspaceId }: OrganizationInput<'claim-confirmed'>,
): OrganizationResult {
  const others = placesOf(view).filter((place) => place.workspaceId !== workspaceId);
  return { ...NOTED, ...withPlaces([...others, { workspaceId, state: 'claimed' }]) };
}

/** The workspace refused: its place is free again, unless another attempt has claimed it. */
export function releaseClaim(
  view: OrganizationView,
  { workspaceId }: OrganizationInput<'claim-released'>,
): OrganizationResult {
  const places = placesOf(view);
  const left = places.filter((place) => place.workspaceId !== workspaceId || place.state === 'claimed');
  return left.length === places.length ? NOTED : { ...NOTED, ...withPlaces(left) };
}

/** Checks that whoever asks is an owner now, and lets the workspace erase itself and answer. */
export function requestErasure(
  view: OrganizationView,
  command: OrganizationCommand<'erase-workspace'>,
  context: FoldContext,
): OrganizationResult {
  const forbidden = roleRefusal(view, command, ['owner'], 'erase');
  if (forbidden !== null) return refused(forbidden);
  return {
    outcome: { kind: 'deferred' },
    effects: [
      {
        kind: 'command',
        topic: 'workspaces',
        key: command.input.installationId,
        type: 'erase',
        input: { organizationId: context.aggregate },
        answers: true,
      },
    ],
  };
}

/** The workspace is erased: the organization forgets it, and its places are free. */
export function releaseErased(
  view: OrganizationView,
  { workspaceId }: OrganizationInput<'workspace-erased'>,
): OrganizationResult {
  const { put, remove } = withPlaces(placesOf(view).filter((place) => place.workspaceId !== workspaceId));
  const held = view.row('workspace', workspaceId);
  return {
    ...NOTED,
    put,
    remove: [
      ...remove,
      { kind: 'workspace', id: workspaceId },
      ...(held === null ? [] : [{ kind: 'timeline' as const, id: timelineId(held.at, workspaceId) }]),
    ],
  };
}

function roleRefusal(
  view: OrganizationView,
  { actor }: UserCommand,
  roles: readonly Role[],
  action: string,
): Refusal | null {
  const role = actor.kind === 'user' ? view.row('member', actor.id)?.role : undefined;
  if (view.root?.state === 'active' && role !== undefined && roles.includes(role)) return null;
  return refusal('forbidden', {
    at: 'caller.role',
    seen: `${role ?? 'none in the organization'}`,
    expected: `${roles.join(' or ')} to ${action} a workspace`,
  });
}

function placesOf(view: OrganizationView): ClaimsDocument['workspaces'] {
  return view.row(CLAIMS_ROW.kind, CLAIMS_ROW.id)?.workspaces ?? [];
}

/** The change that stores the places: without any there is no row, as before the first one. */
function withPlaces(
  workspaces: ClaimsDocument['workspaces'],
): Required<Pick<OrganizationResult, 'put' | 'remove'>> {
  return workspaces.length === 0
    ? { put: [], remove: [CLAIMS_ROW] }
    : { put: [{ ...CLAIMS_ROW, document: { workspaces } }], remove: [] };
}
