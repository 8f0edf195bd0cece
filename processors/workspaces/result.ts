import type { z } from 'zod';
import type { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import type { WorkspaceDocument, WorkspaceRoot, WorkspaceRows } from '../../schemas/workspaces/documents.ts';
import type { FoldResult, View } from '../runtime/fold.ts';

export type WorkspaceResult = FoldResult<WorkspaceRoot, WorkspaceRows>;

/** What folding a command sees of a workspace that exists. */
export type WorkspaceView = View<WorkspaceDocument, WorkspaceRows> & { readonly root: WorkspaceDocument };

/** The input of one command type. */
export type WorkspaceInput<Type extends keyof typeof workspacesCommands> = z.infer<
  (typeof workspacesCommands)[Type]
>;

/** A notice that was taken in, by nobody who waits and in a way that is harmless to repeat. */
export const NOTED = {
  outcome: { kind: 'done', result: {} },
  remember: false,
} as const satisfies WorkspaceResult;
