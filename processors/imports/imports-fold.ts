import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { ImportsRoot, ImportsRows } from '../../schemas/imports/documents.ts';
import type { ProductFoldTypes } from '../runtime/fold/product-fold.ts';

/** The types of the fold of CSV imports. */
export interface ImportsFold extends ProductFoldTypes {
  readonly commands: typeof importsCommands;
  readonly root: ImportsRoot;
  readonly rows: ImportsRows;
}
