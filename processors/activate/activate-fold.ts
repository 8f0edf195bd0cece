import type { activateCommands } from '../../schemas/activate/commands.ts';
import type { ActivateRoot, ActivateRows } from '../../schemas/activate/documents.ts';
import type { ProductFoldTypes } from '../runtime/fold/product-fold.ts';

/** The types of the fold of onboarding checklists. */
export interface ActivateFold extends ProductFoldTypes {
  readonly commands: typeof activateCommands;
  readonly root: ActivateRoot;
  readonly rows: ActivateRows;
}
