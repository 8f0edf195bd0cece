import type { usageCommands } from '../../schemas/usage/commands.ts';
import type { UsageRoot, UsageRows } from '../../schemas/usage/documents.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

/** The types of the fold of metered usage. */
export interface UsageFold extends FoldTypes {
  readonly commands: typeof usageCommands;
  readonly root: UsageRoot | null;
  readonly rows: UsageRows;
}
