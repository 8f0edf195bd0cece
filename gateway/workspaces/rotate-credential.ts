import { serviceError } from '../../schemas/base/errors.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { credentialDocumentSchema, workspaceRootSchema } from '../../schemas/workspaces/documents.ts';
import {
  credentialParamsSchema,
  madeCredentialSchema,
  rotateCredentialRequestSchema,
} from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { workspaceAggregate } from './load-workspace.ts';
import { derivedCredential, madeCredential } from './made-credential.ts';

/** POST `…/credentials/{credentialId}/rotate`: makes the next secret. Both secrets are valid for the overlap. */
export const rotateCredentialRoute = workspaceOwner.post('/credentials/:credentialId/rotate', {
  name: 'rotateCredential',
  summary: 'Give a project credential its next secret',
  params: credentialParamsSchema,
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
