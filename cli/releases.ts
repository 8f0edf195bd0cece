import { activateCommands } from './activate/commands.ts';
import { checkCommands } from './check/commands.ts';
import type { Release } from './command.ts';
import { feedbackCommands } from './feedback/commands.ts';
import { importCommands } from './imports/commands.ts';
import { mcpCommands } from './mcp/commands.ts';
import { toolCommands } from './tools/commands.ts';
import { workspaceCommands } from './workspace/commands.ts';

const GENERAL_GROUPS = [workspaceCommands, feedbackCommands, checkCommands, activateCommands];

/** The line for workspaces and the products of every agent. */
export const GENERAL_RELEASE: Release = {
  version: '0.2.0',
  // By their names only: the file of this release has no code of theirs.
  later: ['import', 'mcp'],
  groups: GENERAL_GROUPS,
  commands: toolCommands,
};

/** The line that also imports files. */
export const IMPORT_RELEASE: Release = {
  version: '0.4.0',
  later: [],
  groups: [...GENERAL_GROUPS, importCommands],
  commands: [...toolCommands, ...mcpCommands],
};

/** The released lines, the oldest first. */
export const RELEASES: readonly Release[] = [GENERAL_RELEASE, IMPORT_RELEASE];
