import type { z } from 'zod';
import type { activateCommands } from '../../../schemas/activate/commands.ts';
import type { ChecklistConfiguration } from '../../../schemas/activate/configuration.ts';
import {
  CHECKLIST_SCHEMA_VERSION,
  checklistAnswerSchema,
  checklistHistorySchema,
  checklistListSchema,
  createChecklistRequestSchema,
  reviseChecklistRequestSchema,
} from '../../../schemas/activate/http.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { checkOrigins } from '../../http/browsers/allowed-origins.ts';
import { type InWorkspace, json } from '../../http/routing/audience.ts';
import { checklistAgent, checklistMember } from '../audiences.ts';
import { listChecklists, readHistory } from '../checklist-reading.ts';

export const createChecklistRoute = checklistAgent.post('/checklists', {
  name: 'createChecklist',
  summary: 'Configure a new onboarding checklist',
  description: 'Creates a checklist with its first revision.',
  body: json(createChecklistRequestSchema),
  success: { status: 201, schema: checklistAnswerSchema, description: 'The checklist' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const checklistId = idFrom('checklist', services.entropy.bytes(ID_BYTES));
    const input = { checklistId, configuration };
    const command = { topic: 'activate', key: params.installationId, type: 'create-checklist' } as const;
    const result = await submit({ ...command, input, idempotencyKey });
    return { body: checklistAnswer(result, configuration) };
  },
});

export const reviseChecklistRoute = checklistAgent.post('/checklists/:checklistId', {
  name: 'reviseChecklist',
  summary: 'Configure the next revision of an onboarding checklist',
  description:
    'Creates the next revision. It is for subjects that are enrolled later; the others keep theirs. `expectedRevision` must be the current one.',
  body: json(reviseChecklistRequestSchema),
  success: {
    status: 200,
    schema: checklistAnswerSchema,
    description: 'The checklist in its current revision',
  },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, expectedRevision, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const input = { checklistId: params.checklistId, expectedRevision, configuration };
    const command = { topic: 'activate', key: params.installationId, type: 'revise-checklist' } as const;
    const result = await submit({ ...command, input, idempotencyKey });
    return { body: checklistAnswer(result, configuration) };
  },
});

/** The answer to a configuration: what was sent is what is stored, also when it was stored before. */
function checklistAnswer(
  { checklistId, revision, createdAt }: z.infer<(typeof activateCommands)['create-checklist']['result']>,
  configuration: ChecklistConfiguration,
): z.infer<typeof checklistAnswerSchema> {
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    checklistId,
    revision,
    configuration,
    createdAt: isoTime(createdAt),
  };
}

const LIST = {
  success: { status: 200, schema: checklistListSchema, description: 'The checklists' },
  handle: ({ workspace, services }: InWorkspace) => listChecklists(services, workspace.installationId),
} as const;

export const listChecklistsRoute = checklistAgent.get('/checklists', {
  ...LIST,
  name: 'listChecklists',
  summary: 'List the onboarding checklists of the installation',
  description: 'Returns every checklist with its current revision.',
});

export const listWorkspaceChecklistsRoute = checklistMember.get('/checklists', {
  ...LIST,
  name: 'listWorkspaceChecklists',
  summary: 'List the onboarding checklists of a workspace',
  description: 'Returns every checklist of the workspace with its current revision.',
});

export const readWorkspaceChecklistRoute = checklistMember.get('/checklists/:checklistId', {
  name: 'readWorkspaceChecklist',
  summary: 'Read a checklist with its revisions',
  description: 'Returns a checklist with the configuration of every revision.',
  success: { status: 200, schema: checklistHistorySchema, description: 'The checklist' },
  async handle({ workspace, params, services }) {
    const { installationId } = workspace;
    return await readHistory(services, installationId, params.checklistId);
  },
});
