import type { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument, OrganizationRows } from '../../schemas/organizations/documents.ts';
import type { FoldTypes } from '../runtime/fold.ts';

/** The types of the fold of organizations. */
export interface OrganizationsFold extends FoldTypes {
  readonly commands: typeof organizationsCommands;
  readonly root: OrganizationDocument | null;
  readonly rows: OrganizationRows;
}
