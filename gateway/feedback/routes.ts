import type { Route } from '../http/route.ts';
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
export const feedbackRoutes: readonly Route[] = [
  createWidgetRoute,
  listInstallationWidgetsRoute,
  verifySubmissionRoute,
  loadWidgetRoute,
  submitFeedbackRoute,
  listWidgetsRoute,
  listSubmissionsRoute,
  moveSubmissionRoute,
  removeSubmissionRoute,
];
