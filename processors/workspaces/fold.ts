import type { Limits } from '../../schemas/limits.ts';
import { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import {
  type WorkspaceDocument,
  type WorkspaceRows,
  workspaceDocumentSchema,
  workspaceRowSchemas,
} from '../../schemas/workspaces/documents.ts';
import { defineFold, type FoldDefinition } from '../runtime/fold.ts';
import { attachWorkspace } from './attach.ts';
import { openClaimLink } from './claim-link.ts';
import { createWorkspace, replayCreation } from './create.ts';

export type WorkspacesFold = FoldDefinition<WorkspaceDocument, WorkspaceRows, typeof workspacesCommands>;

/** The fold of agent workspaces: one aggregate an installation (contract B). */
export function createWorkspacesFold(limits: Limits): WorkspacesFold {
  return defineFold<WorkspaceDocument, WorkspaceRows, typeof workspacesCommands>({
    topic: 'workspaces',
    schemas: workspacesCommands,
    rootSchema: workspaceDocumentSchema,
    rowSchemas: workspaceRowSchemas,
    reads: () => [],
    fold({ root }, command, context) {
      switch (command.type) {
        case 'create':
          return createWorkspace(root, command.input, context, limits);
        case 'claim-link':
          return openClaimLink(root, command.input, context, limits);
        case 'attach':
          return attachWorkspace(root, command.input, context);
      }
    },
    replay({ root }, command, context) {
      return command.type === 'create' ? replayCreation(root, context) : null;
    },
  });
}
