import type { checksCommands } from '../../schemas/checks/commands.ts';
import type { ChecksRoot, ChecksRows } from '../../schemas/checks/documents.ts';
import type { ProductFoldTypes } from '../runtime/fold/product-fold.ts';

/** The types of the fold of browser checks. */
export interface ChecksFold extends ProductFoldTypes {
  readonly commands: typeof checksCommands;
  readonly root: ChecksRoot;
  readonly rows: ChecksRows;
}
