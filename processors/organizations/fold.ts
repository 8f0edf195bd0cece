import { workspaceOf } from '../../schemas/base/ids.ts';
import { type OrganizationsCommand, organizationsCommands } from '../../schemas/organizations/commands.ts';
import {
  type OrganizationDocument,
  type OrganizationRows,
  organizationDocumentSchema,
  organizationRowSchemas,
} from '../../schemas/organizations/documents.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import { defineFold, type FoldDefinition } from '../runtime/fold.ts';
import { confirmAttachment, releaseAttachment, reserveAttachment } from './attach.ts';
import { releaseSetUp, setUp } from './set-up.ts';

export type OrganizationsFold = FoldDefinition<
  OrganizationDocument,
  OrganizationRows,
  typeof organizationsCommands
>;

/** The fold of organizations: members, and the workspaces attached to them (contract "People"). */
export function createOrganizationsFold(): OrganizationsFold {
  return defineFold<OrganizationDocument, OrganizationRows, typeof organizationsCommands>({
    topic: 'organizations',
    schemas: organizationsCommands,
    rootSchema: organizationDocumentSchema,
    rowSchemas: organizationRowSchemas,
    reads: rowsOf,
    fold(view, command, context) {
      switch (command.type) {
        case 'set-up':
          return setUp(view, command.input, context);
        case 'set-up-released':
          return releaseSetUp(view, command.input);
        case 'attach':
          return reserveAttachment(view, command, context);
        case 'attachment-confirmed':
          return confirmAttachment(view, command.input, context);
        case 'attachment-released':
          return releaseAttachment(view, command.input);
      }
    },
  });
}

function rowsOf(command: OrganizationsCommand): RowKey[] {
  switch (command.type) {
    case 'set-up':
      return [];
    case 'set-up-released':
      return [{ kind: 'member', id: command.input.userId }];
    case 'attach':
      return [
        { kind: 'member', id: command.actor.id },
        { kind: 'workspace', id: workspaceOf(command.input.installationId) },
      ];
    case 'attachment-confirmed':
    case 'attachment-released':
      return [{ kind: 'workspace', id: command.input.workspaceId }];
  }
}
