import type { CommandType } from '../../schemas/base/command.ts';
import type { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import type { WorkspaceRoot, WorkspaceRows } from '../../schemas/workspaces/documents.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

/** The types of the fold of agent workspaces. */
export interface WorkspacesFold extends FoldTypes {
  readonly commands: typeof workspacesCommands;
  readonly root: WorkspaceRoot | null;
  readonly rows: WorkspaceRows;
}

export type WorkspacesCommandType = CommandType<typeof workspacesCommands>;
