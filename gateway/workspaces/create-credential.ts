import {
  createCredentialRequestSchema,
  madeCredentialSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { deriveId } from '../http/derive.ts';
import { derivedCredential, madeCredential } from './made-credential.ts';

/** POST `…/credentials`: adds a project credential, for example for the customer's backend. */
export const createCredentialRoute = workspaceOwner.post('/credentials', {
  name: 'createCredential',
  summary: 'Create a named project credential',
  params: workspaceParamsSchema,
  body: json(createCredentialRequestSchema),
  success: { status: 201, schema: madeCredentialSchema, description: 'The credential with its secret' },
  errors: ['idempotency_conflict', 'limit_reached', 'gone'],
  async handle({ workspace, body, services: { secrets }, submit }) {
    const { installationId } = workspace;
    const { idempotencyKey, name } = body;
    // The id derives from the key, so that a repeat names the same credential and gets its secret.
    const credentialId = deriveId(secrets, 'credential', installationId, idempotencyKey);
    const input = { name, ...derivedCredential(secrets, credentialId, FIRST_NUMBER) };
    const command = { topic: 'workspaces', key: installationId, type: 'create-credential' } as const;
    return { body: madeCredential(secrets, await submit({ ...command, idempotencyKey, input })) };
  },
});

const FIRST_NUMBER = 1;
