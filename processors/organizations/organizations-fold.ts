import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument, OrganizationRows } from '../../schemas/organizations/documents.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

export interface OrganizationsFold extends FoldTypes {
  readonly commands: typeof organizationsCommands;
  readonly root: OrganizationDocument | null;
  readonly rows: OrganizationRows;
}
