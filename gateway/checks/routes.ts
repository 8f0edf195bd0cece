import { checkProductSchema } from '../../schemas/checks/http.ts';
import { checksProduct } from '../../schemas/checks/product.ts';
import { tagged } from '../http/routing/route.ts';
import { productRoute } from '../workspaces/product-route.ts';
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
  createWorkspaceSuiteRoute,
  listSuitesRoute,
  listWorkspaceProfilesRoute,
  listWorkspaceSuitesRoute,
} from './operations/suites.ts';

/** Browser checks, by audience: the customer's backend or a coding agent, people of the organization. */
export const checkRoutes = tagged(
  {
    name: 'Browser check',
    description:
      'A run opens pages of an origin in a real browser and looks for what a suite expects. The origin has to be proved first; a run reaches the public internet only.',
  },
  [
    productRoute(checksProduct, {
      name: 'readCheckProduct',
      summary: "Read the browser check's state and limits",
      description: 'Returns the installation, its state and what is left of its limits.',
      schema: checkProductSchema,
      more: async ({ browser }) => ({ browser: await browser() }),
    }),
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
    createWorkspaceSuiteRoute,
    listWorkspaceRunsRoute,
    createWorkspaceRunRoute,
    readWorkspaceRunRoute,
    readScreenshotRoute,
  ],
);
