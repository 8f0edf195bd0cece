import { tagged } from '../http/routing/route.ts';
import {
  listSubmissionsRoute,
  moveSubmissionRoute,
  removeSubmissionRoute,
  verifySubmissionRoute,
} from './operations/submissions.ts';
import { submitFeedbackRoute } from './operations/submit-feedback.ts';
import {
  createWidgetRoute,
  listInstallationWidgetsRoute,
  listWidgetsRoute,
  loadWidgetRoute,
} from './operations/widgets.ts';

/** The feedback widget, by audience: the customer's backend, pages, people of the organization. */
export const feedbackRoutes = tagged(
  {
    name: 'Feedback widget',
    description:
      'A button and a dialog on the pages of one origin. What visitors write goes to the inbox of the organization. Every workspace has it.',
  },
  [
    createWidgetRoute,
    listInstallationWidgetsRoute,
    verifySubmissionRoute,
    loadWidgetRoute,
    submitFeedbackRoute,
    listWidgetsRoute,
    listSubmissionsRoute,
    moveSubmissionRoute,
    removeSubmissionRoute,
  ],
);
