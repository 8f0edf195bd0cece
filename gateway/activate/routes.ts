import { activateProductSchema } from '../../schemas/activate/http.ts';
import { activateProduct } from '../../schemas/activate/product.ts';
import { tagged } from '../http/routing/route.ts';
import { productRoute } from '../workspaces/product-route.ts';
import {
  createChecklistRoute,
  listChecklistsRoute,
  listWorkspaceChecklistsRoute,
  readWorkspaceChecklistRoute,
  reviseChecklistRoute,
} from './operations/checklists.ts';
import { eraseSubjectRoute } from './operations/erase-subject.ts';
import { issueSessionRoute } from './operations/issue-session.ts';
import { readProgressRoute } from './operations/read-progress.ts';
import { recordEventRoute } from './operations/record-event.ts';
import { recordEventsRoute } from './operations/record-events.ts';
import { exportChecklistRoute, readSummaryRoute, readWorkspaceSummaryRoute } from './operations/summaries.ts';

/** Onboarding checklists, by audience: the customer's backend, pages, people of the organization. */
export const activateRoutes = tagged(
  {
    name: 'Onboarding checklists',
    description:
      'A checklist shows one to five milestones to each user of a customer. The backend of the customer reports milestones; the page of the user reads them with a short-lived token.',
  },
  [
    productRoute(activateProduct, {
      name: 'readActivateProduct',
      summary: "Read the checklist product's state and limits",
      description: 'Returns the installation, its state and what is left of its limits.',
      schema: activateProductSchema,
    }),
    listChecklistsRoute,
    createChecklistRoute,
    reviseChecklistRoute,
    recordEventRoute,
    recordEventsRoute,
    issueSessionRoute,
    readSummaryRoute,
    readProgressRoute,
    listWorkspaceChecklistsRoute,
    readWorkspaceChecklistRoute,
    readWorkspaceSummaryRoute,
    exportChecklistRoute,
    eraseSubjectRoute,
  ],
);
