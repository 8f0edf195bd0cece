import type { z } from 'zod';
import type { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import type { WorkspaceDocument, WorkspaceRows } from '../../schemas/workspaces/documents.ts';
import type { FoldResult } from '../runtime/fold.ts';

export type WorkspaceResult = FoldResult<WorkspaceDocument, WorkspaceRows>;

/** The input of one command type. */
export type WorkspaceInput<Type extends keyof typeof workspacesCommands> = z.infer<
  (typeof workspacesCommands)[Type]
>;
