import { serviceError } from '../../../schemas/base/errors.ts';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { credentialDocumentSchema, workspaceRootSchema } from '../../../schemas/workspaces/documents.ts';
import {
  createCredentialRequestSchema,
  madeCredentialSchema,
  rotateCredentialRequestSchema,
} from '../../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../../audiences.ts';
import { deriveId } from '../../http/records/derive.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { workspaceAggregate } from '../load-workspace.ts';
import { derivedCredential, madeCredential } from '../made-credential.ts';

export const createCredentialRoute = workspaceOwner.post('/credentials', {
  name: 'createCredential',
  summary: 'Create a named project credential',
  description: 'Creates a named project credential. Only this answer has the secret.',
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

export const rotateCredentialRoute = workspaceOwner.post('/credentials/:credentialId/rotate', {
  name: 'rotateCredential',
  summary: 'Give a project credential its next secret',
  description: 'Gives a credential a new secret. The former one works for `overlapHours` more.',
  body: json(rotateCredentialRequestSchema),
  success: { status: 201, schema: madeCredentialSchema, description: 'The credential with its next secret' },
  errors: ['not_found', 'idempotency_conflict', 'state_conflict', 'gone'],
  async handle({ workspace, params, body, services, submit }) {
    const { installationId } = workspace;
    const { idempotencyKey, overlapHours } = body;
    const hoursMax = services.limits.workspace.rotationOverlapHoursMax;
    if (overlapHours > hoursMax) {
      throw serviceError('bad_request', {
        at: 'body.overlapHours',
        seen: `a number above ${hoursMax}`,
        expected: `at most ${hoursMax}`,
      });
    }
    const { credentialId } = params;
    const number = (await currentNumber(services, installationId, credentialId)) + 1;
    const secret = derivedCredential(services.secrets, credentialId, number);
    const result = await submit({
      topic: 'workspaces',
      key: installationId,
      type: 'rotate-credential',
      idempotencyKey,
      input: { ...secret, overlapMs: overlapHours * HOUR_MS },
    });
    return { body: madeCredential(services.secrets, result) };
  },
});

/** The number of a credential's current secret. The fold refuses the rotation if another one came in between. */
async function currentNumber(
  { store }: GatewayServices,
  installationId: string,
  credentialId: string,
): Promise<number> {
  const aggregate = workspaceAggregate(installationId);
  const rows = [{ kind: 'credential', id: credentialId }];
  const { row } = await readAggregate(store, aggregate, workspaceRootSchema, rows);
  const credential = row('credential', credentialId, credentialDocumentSchema);
  if (credential !== null) return credential.number;
  throw serviceError('not_found', {
    at: 'path.credentialId',
    seen: 'the id of no credential',
    expected: 'the id of a credential of this workspace',
  });
}

export const revokeCredentialRoute = workspaceOwner.delete('/credentials/:credentialId', {
  name: 'revokeCredential',
  summary: 'Revoke a project credential',
  description: 'Ends a credential with all its secrets at once.',
  success: { status: 204, description: 'The credential is revoked' },
  errors: ['not_found'],
  async handle({ workspace, params, submit }) {
    const { installationId } = workspace;
    const input = { credentialId: params.credentialId };
    await submit({ topic: 'workspaces', key: installationId, type: 'revoke-credential', input });
    return {};
  },
});
