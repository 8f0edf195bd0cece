import { digestsEqual } from '../../../schemas/base/digest.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { lastFour, SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import {
  capabilityAnswerSchema,
  capabilityListSchema,
  capabilityRequestSchema,
} from '../../../schemas/imports/delivery-http.ts';
import { listQuerySchema } from '../../../schemas/imports/http.ts';
import { orderedRowPrefix } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import { json } from '../../http/routing/audience.ts';
import { importOwner } from '../audiences.ts';
import { importsReader } from '../load-import.ts';

export const createCapabilityRoute = importOwner.post('/schemas/:schemaId/capabilities', {
  name: 'createCapability',
  summary: "Create a capability for the customer's backend",
  description:
    'Creates a capability: a secret with which the backend of the customer pulls imports of this schema and mints browser sessions. Only the first answer has the secret.',
  body: json(capabilityRequestSchema),
  success: {
    status: 201,
    schema: capabilityAnswerSchema,
    description: 'The capability; a repeat has null in place of the secret',
  },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ workspace, params, body, services, submit }) {
    const { installationId } = workspace;
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
    const { digest, createdAt, expiresAt, ...made } = await submit({
      topic: 'imports',
      key: installationId,
      type: 'create-capability',
      input,
      idempotencyKey,
    });
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

export const revokeCapabilityRoute = importOwner.delete('/schemas/:schemaId/capabilities/:capabilityId', {
  name: 'revokeCapability',
  summary: 'Revoke a capability',
  description: 'Revokes a capability for good, and with it its browser sessions.',
  success: { status: 204, description: 'The capability is revoked' },
  async handle({ workspace, params, submit }) {
    const { installationId } = workspace;
    const { schemaId, capabilityId } = params;
    const input = { schemaId, capabilityId };
    await submit({ topic: 'imports', key: installationId, type: 'revoke-capability', input });
    return {};
  },
});

export const listCapabilitiesRoute = importOwner.get('/schemas/:schemaId/capabilities', {
  name: 'listCapabilities',
  summary: 'List the capabilities of a schema',
  description:
    'Returns the capabilities of a schema without their secrets, newest first, including ended ones.',
  whenEnded: 'allowed',
  query: listQuerySchema,
  success: { status: 200, schema: capabilityListSchema, description: 'One page of capabilities' },
  async handle({ workspace, params, query, services }) {
    const { installationId } = workspace;
    const prefix = orderedRowPrefix(params.schemaId);
    const { cursor, limit } = query;
    const entries = await importsReader.list(services.store, installationId, 'capability-order', {
      prefix,
      limit: limit + 1,
      reverse: true,
      ...(cursor === undefined ? {} : { after: prefix + cursor }),
    });
    const page = entries.ids.slice(0, limit);
    const ids = entries.found.flatMap(({ id, document }) =>
      page.includes(id) ? [document.capabilityId] : [],
    );
    const found = await importsReader.rows(services.store, installationId, 'capability', ids);
    const capabilities = found.found.map(({ id: capabilityId, document: capability }) => {
      const { name, origin, delegateApproval, last4, createdAt, revokedAt, lastUsedAt } = capability;
      return {
        capabilityId,
        name,
        origin,
        delegateApproval,
        last4,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(capabilityEnd(capability, workspace)),
        revokedAt: isoTimeOrNull(revokedAt),
        lastUsedAt: isoTimeOrNull(lastUsedAt),
      };
    });
    const more = entries.ids.length > limit;
    return {
      body: { capabilities, nextCursor: more ? (page.at(-1)?.slice(prefix.length) ?? null) : null },
      unreadable: [...entries.unreadable.filter(({ id }) => page.includes(id)), ...found.unreadable],
    };
  },
});
