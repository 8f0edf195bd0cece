import type { CommandOf } from '../../schemas/base/command.ts';
import { refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import { type AttachedWorkspaceDocument, timelineId } from '../../schemas/organizations/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { NOTED, type OrganizationInput, type OrganizationResult, type OrganizationView } from './result.ts';

type AttachCommand = Extract<CommandOf<typeof organizationsCommands>, { type: 'attach' }>;

/**
 * Checks that whoever asks is an owner or admin now, reserves the workspace's place, and lets the workspace decide and
 * answer (design rule 7). A workspace that is attached already is asked as well: its answer is the same.
 */
export function reserveAttachment(
  view: OrganizationView,
  command: AttachCommand,
  context: FoldContext,
): OrganizationResult {
  const { installationId, claimDigest, confirmed } = command.input;
  const role = command.actor.kind === 'user' ? view.row('member', command.actor.id)?.role : undefined;
  if (view.root?.state !== 'active' || (role !== 'owner' && role !== 'admin')) {
    return refused(
      refusal('forbidden', {
        at: 'caller.role',
        seen: `${role ?? 'none in the organization'}`,
        expected: 'owner or admin to attach a workspace',
      }),
    );
  }
  const workspaceId = workspaceOf(installationId);
  const known = view.row('workspace', workspaceId) !== null;
  return {
    outcome: { kind: 'deferred' },
    put: known ? [] : rowsFor(workspaceId, { state: 'reserved', at: context.now }),
    effects: [
      {
        kind: 'command',
        topic: 'workspaces',
        key: installationId,
        type: 'attach',
        input: {
          organizationId: context.aggregate,
          userId: command.actor.id,
          claimDigest,
          confirmed,
        },
        answers: true,
      },
    ],
  };
}

/** The workspace is attached, whatever became of the reservation meanwhile. */
export function confirmAttachment(
  view: OrganizationView,
  { workspaceId }: OrganizationInput<'attachment-confirmed'>,
  context: FoldContext,
): OrganizationResult {
  const at = view.row('workspace', workspaceId)?.at ?? context.now;
  return { ...NOTED, put: rowsFor(workspaceId, { state: 'attached', at }) };
}

/** The workspace refused: its place is free again, unless another attempt has attached it. */
export function releaseAttachment(
  view: OrganizationView,
  { workspaceId }: OrganizationInput<'attachment-released'>,
): OrganizationResult {
  const held = view.row('workspace', workspaceId);
  if (held?.state !== 'reserved') return NOTED;
  return {
    ...NOTED,
    remove: [
      { kind: 'workspace', id: workspaceId },
      { kind: 'timeline', id: timelineId(held.at, workspaceId) },
    ],
  };
}

function rowsFor(workspaceId: string, document: AttachedWorkspaceDocument) {
  return [
    { kind: 'workspace' as const, id: workspaceId, document },
    { kind: 'timeline' as const, id: timelineId(document.at, workspaceId), document: { workspaceId } },
  ];
}
