import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { type WorkspacesCommand, workspacesCommands } from '../../schemas/workspaces/commands.ts';
import {
  type WorkspaceRoot,
  type WorkspaceRows,
  workspaceRootSchema,
  workspaceRowSchemas,
} from '../../schemas/workspaces/documents.ts';
import { WORKSPACE_ERASED } from '../../schemas/workspaces/state.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { defineSwitchingFold, type View } from '../runtime/unconverted.ts';
import { attachWorkspace, LINK_ENDED } from './attach.ts';
import { disconnectWorkspace, pauseWorkspace, resumeWorkspace } from './change-state.ts';
import { claimWorkspace } from './claim.ts';
import { openClaimLink } from './claim-link.ts';
import { createWorkspace, replayCreation, TOKEN_SPENT } from './create.ts';
import { createCredential, noteCredentialUse, revokeCredential, rotateCredential } from './credentials.ts';
import { eraseWorkspace, eraseWorkspaceRows } from './erase.ts';
import { released } from './organization-notices.ts';
import { NOTED, type WorkspaceResult, type WorkspaceView } from './result.ts';

/** The fold of agent workspaces: one aggregate an installation (contract B). */
export function createWorkspacesFold(limits: Limits): AnyFold {
  return defineSwitchingFold<WorkspaceRoot, WorkspaceRows, typeof workspacesCommands>({
    topic: 'workspaces',
    commands: workspacesCommands,
    limits,
    rootSchema: workspaceRootSchema,
    rowSchemas: workspaceRowSchemas,
    isErased: ({ state }) => state === 'erased',
    reads: rowsOf,
    fold(view, command, context) {
      const { root } = view;
      return root === null || root.state === 'erased'
        ? foldAbsent(view, command, context, limits)
        : foldLiving({ root, row: (kind, id) => view.row(kind, id) }, command, context, limits);
    },
    replay({ root }, command, context) {
      return command.type === 'create' ? replayCreation(root, context) : null;
    },
  });
}

function rowsOf({ type, input }: WorkspacesCommand): RowKey[] {
  switch (type) {
    case 'rotate-credential':
    case 'revoke-credential':
    case 'credential-used':
      return [{ kind: 'credential', id: input.credentialId }];
    case 'erase-rows':
      return input.rows.filter(({ kind }) => kind === 'credential');
    default:
      return [];
  }
}

function foldLiving(
  view: WorkspaceView,
  command: WorkspacesCommand,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const { root } = view;
  switch (command.type) {
    case 'create':
      return refused(TOKEN_SPENT);
    case 'claim-link':
      return openClaimLink(root, command.input, context, limits);
    case 'attach':
      return attachWorkspace(root, command.input, context);
    case 'claim':
      return claimWorkspace(root, command.input, context);
    case 'pause':
      return pauseWorkspace(root, context);
    case 'resume':
      return resumeWorkspace(root, context);
    case 'disconnect':
      return disconnectWorkspace(root, context);
    case 'erase':
      return eraseWorkspace(root, command.input, context, limits);
    case 'create-credential':
      return createCredential(view, command.input, context, limits);
    case 'rotate-credential':
      return rotateCredential(view, command.input, context);
    case 'revoke-credential':
      return revokeCredential(view, command.input, context);
    case 'credential-used':
      return noteCredentialUse(view, command.input, context, limits);
    case 'erase-rows':
      throw new Error('removing rows of a workspace that was not erased');
  }
}

/** Folds a command to a workspace that was never made, or that was erased. */
function foldAbsent(
  view: View<WorkspaceRoot, WorkspaceRows>,
  command: WorkspacesCommand,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const { root } = view;
  const absence = root === null ? MISSING : WORKSPACE_ERASED;
  switch (command.type) {
    case 'create':
      return root === null ? createWorkspace(command.input, context, limits) : refused(TOKEN_SPENT);
    case 'attach':
      return released('attachment-released', LINK_ENDED, command.input, context);
    case 'claim':
      return released('claim-released', absence, command.input, context);
    case 'erase-rows':
      if (root === null) throw new Error('removing rows of a workspace that was never made');
      return eraseWorkspaceRows(view, command.input);
    case 'credential-used':
      return NOTED;
    case 'claim-link':
    case 'pause':
    case 'resume':
    case 'disconnect':
    case 'erase':
    case 'create-credential':
    case 'rotate-credential':
    case 'revoke-credential':
      return refused(absence);
  }
}

const MISSING = refusal('not_found', { at: 'workspace', seen: 'none', expected: 'one that exists' });
