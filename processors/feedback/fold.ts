import { feedbackProduct } from '../../schemas/feedback/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold/fold.ts';
import { defineProductFold } from '../runtime/fold/product-fold.ts';
import { createWidget } from './commands/create-widget.ts';
import {
  moveSubmission,
  receiveSubmission,
  removeSubmission,
  tidySubmission,
  verifySubmission,
} from './commands/submissions.ts';
import type { FeedbackFold } from './feedback-fold.ts';
import { removeWidget } from './submissions.ts';

/** The fold of feedback: one aggregate an installation. */
export function createFeedbackFold(limits: Limits): AnyFold {
  return defineProductFold<FeedbackFold>(feedbackProduct, {
    limits,
    erases: { widget: (_document, widgetId, { aggregate }) => removeWidget(aggregate, widgetId) },
    handlers: {
      'create-widget': createWidget,
      'receive-submission': receiveSubmission,
      'verify-submission': verifySubmission,
      'move-submission': moveSubmission,
      'remove-submission': removeSubmission,
      'tidy-submission': tidySubmission,
    },
  });
}
