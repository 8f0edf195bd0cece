import type { Route } from '../http/route.ts';
import { createChecklistRoute } from './agent/create-checklist.ts';
import { issueSessionRoute } from './agent/issue-session.ts';
import { listChecklistsRoute } from './agent/list-checklists.ts';
import { readProductRoute } from './agent/read-product.ts';
import { readSummaryRoute } from './agent/read-summary.ts';
import { recordEventRoute } from './agent/record-event.ts';
import { reviseChecklistRoute } from './agent/revise-checklist.ts';
import { readProgressRoute } from './browser/read-progress.ts';
import { eraseSubjectRoute } from './console/erase-subject.ts';
import { exportChecklistRoute } from './console/export-checklist.ts';
import { listWorkspaceChecklistsRoute } from './console/list-checklists.ts';
import { readWorkspaceChecklistRoute } from './console/read-checklist.ts';
import { readWorkspaceSummaryRoute } from './console/read-summary.ts';

/** Onboarding checklists (specification 4.5, contract C): the backend's, the page's and the owner's side. */
export const activateRoutes: readonly Route[] = [
  readProductRoute,
  listChecklistsRoute,
  createChecklistRoute,
  reviseChecklistRoute,
  recordEventRoute,
  issueSessionRoute,
  readSummaryRoute,
  readProgressRoute,
  listWorkspaceChecklistsRoute,
  readWorkspaceChecklistRoute,
  readWorkspaceSummaryRoute,
  exportChecklistRoute,
  eraseSubjectRoute,
];
