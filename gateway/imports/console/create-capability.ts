import { z } from 'zod';
import { digestsEqual, sha256Schema } from '../../../schemas/base/digest.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom, idSchema } from '../../../schemas/base/ids.ts';
import { lastFour, SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';
import {
  capabilityAnswerSchema,
  capabilityRequestSchema,
  workspaceSchemaParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { send } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** POST `…/schemas/{schemaId}/capabilities`: the secret is in the first answer and nowhere else. */
export const createCapabilityRoute = defineRoute({
  name: 'createCapability',
  summary: "Create a capability for the customer's backend",
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/schemas/:schemaId/capabilities',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceSchemaParamsSchema,
  body: { kind: 'json', schema: capabilityRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 201,
    schema: capabilityAnswerSchema,
    description: 'The capability; a repeat has null in place of the secret',
  },
  errors: ['forbidden', 'idempotency_conflict', 'limit_reached'],
  noStore: true,
  async handle({ workspace, params, body, services, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { idempotencyKey, ...wanted } = body;
    const daysMax = services.limits.imports.capabilityDaysMax;
    if (wanted.expiresInDays > daysMax) {
      throw serviceError('bad_request', {
        at: 'body.expiresInDays',
        seen: `a number above ${daysMax}`,
        expected: `at most ${daysMax}`,
      });
    }
    const secret = secretFrom('capability', services.entropy.bytes(SECRET_BYTES));
    const input = {
      ...wanted,
      schemaId: params.schemaId,
      capabilityId: idFrom('capability', services.entropy.bytes(ID_BYTES)),
      digest: secretDigest(secret),
      last4: lastFour(secret),
    };
    const result = await send({ submit }, installationId, 'create-capability', input, { idempotencyKey });
    const { digest, createdAt, expiresAt, ...made } = resultSchema.parse(result);
    return {
      body: {
        ...made,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(expiresAt),
        revokedAt: null,
        lastUsedAt: null,
        // A repeat gets the stored result, whose secret is not the one made just now.
        capability: digestsEqual(digest, input.digest) ? secret : null,
      },
    };
  },
});

/** The result of `create-capability`. */
const resultSchema = z.strictObject({
  capabilityId: idSchema('capability'),
  name: z.string(),
  origin: z.string(),
  delegateApproval: z.boolean(),
  digest: sha256Schema,
  last4: z.string(),
  createdAt: epochMsSchema,
  expiresAt: epochMsSchema,
});
