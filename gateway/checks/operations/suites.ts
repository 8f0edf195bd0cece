import type { z } from 'zod';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import {
  CHECK_SCHEMA_VERSION,
  createProfileRequestSchema,
  createSuiteRequestSchema,
  profileAnswerSchema,
  profileListSchema,
  suiteAnswerSchema,
  suiteListSchema,
} from '../../../schemas/checks/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { type CheckRequest, checkAgent, checkMember, checkOwner } from '../audiences.ts';
import { profileAnswer, suiteAnswer } from '../check-answers.ts';
import { listProfiles, listSuites } from '../check-reading.ts';

export const createProfileRoute = checkAgent.post('/access-profiles', {
  name: 'createAccessProfile',
  summary: 'Create an access profile for an origin',
  description: 'Creates an access profile: the device, the language, the time zone and the hosts of runs.',
  body: json(createProfileRequestSchema),
  success: { status: 201, schema: profileAnswerSchema, description: 'The access profile' },
  errors: ['idempotency_conflict', 'limit_reached', 'not_found'],
  async handle({ params, body, services, submit }) {
    const { schemaVersion: _version, idempotencyKey, originId, ...configuration } = body;
    const made = idFrom('accessProfile', services.entropy.bytes(ID_BYTES));
    const { accessProfileId, createdAt } = await submit({
      topic: 'checks',
      key: params.installationId,
      type: 'create-profile',
      input: { accessProfileId: made, originId, configuration },
      digestInput: { ...params, originId, configuration },
      idempotencyKey,
    });
    return { body: profileAnswer(accessProfileId, { originId, configuration, createdAt }) };
  },
});

const SUITE = {
  body: json(createSuiteRequestSchema),
  success: { status: 201, schema: suiteAnswerSchema, description: 'The suite' },
  errors: ['idempotency_conflict', 'limit_reached', 'not_found'],
} as const;

export const createSuiteRoute = checkAgent.post('/suites', {
  ...SUITE,
  name: 'createCheckSuite',
  summary: 'Create a suite of flows for an origin',
  description:
    'Creates a suite of flows. A flow opens pages of the origin and checks them; it never types, clicks or submits.',
  handle: createSuite,
});

export const createWorkspaceSuiteRoute = checkOwner.post('/suites', {
  ...SUITE,
  name: 'createWorkspaceCheckSuite',
  summary: 'Create a suite of flows for an origin, as the owner',
  description: 'Creates a suite as an agent does. The audit log notes it.',
  handle: createSuite,
});

async function createSuite({
  workspace: { installationId },
  body,
  services,
  submit,
}: CheckRequest<z.infer<typeof createSuiteRequestSchema>>) {
  const {
    schemaVersion: _version,
    idempotencyKey,
    originId,
    accessProfileId = null,
    ...configuration
  } = body;
  const made = idFrom('suite', services.entropy.bytes(ID_BYTES));
  const { suiteId, createdAt } = await submit({
    topic: 'checks',
    key: installationId,
    type: 'create-suite',
    input: { suiteId: made, originId, accessProfileId, configuration },
    digestInput: { installationId, originId, accessProfileId, configuration },
    idempotencyKey,
  });
  return { body: suiteAnswer(suiteId, { originId, accessProfileId, configuration, createdAt }) };
}

export const listWorkspaceSuitesRoute = checkMember.get('/suites', {
  name: 'listWorkspaceCheckSuites',
  summary: 'List the suites of the browser checks of a workspace',
  description: 'Returns the suites of the workspace, newest first.',
  success: { status: 200, schema: suiteListSchema, description: 'The suites, newest first' },
  handle: ({ workspace, services }) => suiteList(services, workspace),
});

export const listSuitesRoute = checkAgent.get('/suites', {
  name: 'listCheckSuites',
  summary: 'List the suites of the installation',
  description: 'Returns the suites of the installation, newest first.',
  success: { status: 200, schema: suiteListSchema, description: 'The suites, newest first' },
  handle: ({ workspace, services }) => suiteList(services, workspace),
});

async function suiteList(services: GatewayServices, { installationId }: WorkspaceView) {
  const { found, unreadable } = await listSuites(services, installationId);
  const suites = found.map(({ suiteId, document }) => suiteAnswer(suiteId, document));
  const body: z.infer<typeof suiteListSchema> = { schemaVersion: CHECK_SCHEMA_VERSION, suites };
  return { body, unreadable };
}

export const listWorkspaceProfilesRoute = checkMember.get('/access-profiles', {
  name: 'listWorkspaceAccessProfiles',
  summary: 'List the access profiles of the browser checks of a workspace',
  description: 'Returns the access profiles of the workspace, newest first.',
  success: { status: 200, schema: profileListSchema, description: 'The access profiles, newest first' },
  async handle({ workspace, services }) {
    const { found, unreadable } = await listProfiles(services, workspace.installationId);
    const accessProfiles = found.map(({ accessProfileId, document }) =>
      profileAnswer(accessProfileId, document),
    );
    return { body: { schemaVersion: CHECK_SCHEMA_VERSION, accessProfiles }, unreadable };
  },
});
