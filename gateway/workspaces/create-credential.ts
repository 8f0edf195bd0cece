import {
  createCredentialRequestSchema,
  madeCredentialSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { deriveId } from '../http/derive.ts';
import { defineRoute } from '../http/route.ts';
import { pathWorkspace } from '../imports/console-workspace.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';
import { derivedCredential, madeCredential } from './made-credential.ts';

/** POST `…/credentials`: adds a project credential, for example for the customer's backend. */
export const createCredentialRoute = defineRoute({
  name: 'createCredential',
  summary: 'Create a named project credential',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/credentials',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'json', schema: createCredentialRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: madeCredentialSchema, description: 'The credential with its secret' },
  errors: ['forbidden', 'idempotency_conflict', 'limit_reached', 'gone'],
  noStore: true,
  async handle({ workspace, body, services: { secrets }, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { idempotencyKey, name } = body;
    // The id derives from the key, so that a repeat names the same credential and gets its secret.
    const credentialId = deriveId(secrets, 'credential', installationId, idempotencyKey);
    const input = { name, ...derivedCredential(secrets, credentialId, FIRST_NUMBER) };
    const command = { topic: 'workspaces', key: installationId, type: 'create-credential' } as const;
    return { body: madeCredential(secrets, await submit({ ...command, idempotencyKey, input })) };
  },
});

const FIRST_NUMBER = 1;
