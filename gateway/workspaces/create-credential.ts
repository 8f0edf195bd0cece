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

/** POST W`/credentials`: a further project credential, for the customer's backend (contract "People"). */
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
    // The same key names the same credential, so that a repeat can be answered with its secret.
    const credentialId = deriveId(secrets, 'credential', installationId, idempotencyKey);
    const input = { name, ...derivedCredential(secrets, credentialId, FIRST_NUMBER) };
    const command = { topic: 'workspaces', key: installationId, type: 'create-credential' } as const;
    return { body: madeCredential(secrets, await submit({ ...command, idempotencyKey, input })) };
  },
});

const FIRST_NUMBER = 1;
