import type { Route } from '../http/route.ts';
import { readCheckProductRoute } from './check-limits.ts';
import {
  confirmOriginRoute,
  confirmWorkspaceOriginRoute,
  createOriginRoute,
  createWorkspaceOriginRoute,
  listWorkspaceOriginsRoute,
} from './operations/origins.ts';
import {
  createRunRoute,
  createWorkspaceRunRoute,
  listWorkspaceRunsRoute,
  readRunRoute,
  readScreenshotRoute,
  readWorkspaceRunRoute,
} from './operations/runs.ts';
import {
  createProfileRoute,
  createSuiteRoute,
  listSuitesRoute,
  listWorkspaceProfilesRoute,
  listWorkspaceSuitesRoute,
} from './operations/suites.ts';

/** Browser checks, by audience: the customer's backend or a coding agent, people of the organization. */
export const checkRoutes: readonly Route[] = [
  readCheckProductRoute,
  createOriginRoute,
  confirmOriginRoute,
  createProfileRoute,
  createSuiteRoute,
  listSuitesRoute,
  createRunRoute,
  readRunRoute,
  listWorkspaceOriginsRoute,
  createWorkspaceOriginRoute,
  confirmWorkspaceOriginRoute,
  listWorkspaceProfilesRoute,
  listWorkspaceSuitesRoute,
  listWorkspaceRunsRoute,
  createWorkspaceRunRoute,
  readWorkspaceRunRoute,
  readScreenshotRoute,
];
