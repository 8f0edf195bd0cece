import type { InputOf } from '../../schemas/base/command.ts';
import type { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import type { WorkspaceDocument, WorkspaceRoot, WorkspaceRows } from '../../schemas/workspaces/documents.ts';
import type { PlainFoldResult, View } from '../runtime/unconverted.ts';

export type WorkspaceResult = PlainFoldResult<WorkspaceRoot, WorkspaceRows>;

/** What folding a command sees of a workspace that exists. */
export type WorkspaceView = View<WorkspaceDocument, WorkspaceRows> & { readonly root: WorkspaceDocument };

/** The input of one command type. */
export type WorkspaceInput<Type extends keyof typeof workspacesCommands> = InputOf<
  typeof workspacesCommands,
  Type
>;

/** A notice that was taken in, by nobody who waits and in a way that is harmless to repeat. */
export const NOTED = {
  outcome: { kind: 'done', result: {} },
  remember: false,
} as const satisfies WorkspaceResult;
