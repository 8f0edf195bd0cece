import { sha256Hex } from '../../schemas/base/digest.ts';
import { widgetGroup } from '../../schemas/feedback/blobs.ts';
import { feedbackRowSchemas } from '../../schemas/feedback/documents.ts';
import { feedbackProduct } from '../../schemas/feedback/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold.ts';
import { defineProductFold } from '../runtime/product-fold.ts';
import { createWidget } from './commands/create-widget.ts';
import { moveSubmission } from './commands/move-submission.ts';
import { receiveSubmission } from './commands/receive-submission.ts';
import { removeSubmission } from './commands/remove-submission.ts';
import { tidySubmission } from './commands/tidy-submission.ts';
import { verifySubmission } from './commands/verify-submission.ts';
import type { FeedbackFold } from './feedback-fold.ts';

/** The fold of feedback: one aggregate an installation. */
export function createFeedbackFold(limits: Limits): AnyFold {
  return defineProductFold<FeedbackFold>(feedbackProduct, {
    rowSchemas: feedbackRowSchemas,
    limits,
    erases: {
      widget: (_document, widgetId, { aggregate }) => [
        { kind: 'remove-blobs', group: widgetGroup(aggregate, widgetId) },
        {
          kind: 'index',
          entry: { kind: 'feedback-widget', digest: sha256Hex(widgetId), target: null, expiresAt: null },
        },
      ],
    },
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
