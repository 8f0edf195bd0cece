import type { feedbackCommands } from '../../schemas/feedback/commands.ts';
import type { FeedbackRoot, FeedbackRows } from '../../schemas/feedback/documents.ts';
import type { ProductFoldTypes } from '../runtime/fold/product-fold.ts';

export interface FeedbackFold extends ProductFoldTypes {
  readonly commands: typeof feedbackCommands;
  readonly root: FeedbackRoot;
  readonly rows: FeedbackRows;
}
