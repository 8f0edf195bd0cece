import type { Route } from '../http/route.ts';
import { readActivateProductRoute } from './checklist-limits.ts';
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
import { exportChecklistRoute, readSummaryRoute, readWorkspaceSummaryRoute } from './operations/summaries.ts';

/** Onboarding checklists, by audience: the customer's backend, pages, people of the organization. */
export const activateRoutes: readonly Route[] = [
  readActivateProductRoute,
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
