import { z } from 'zod';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';
import {
  deliveryParamsSchema,
  mintedSessionSchema,
  mintRequestSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../route.ts';
import { send } from '../actions.ts';
import { sessionBounds } from './session-bounds.ts';

/**
 * POST `{ingest}/v1/import/sessions/{workspaceId}/{schemaId}`: a session for one browser. Its token is in this answer and
 * nowhere else, so every request makes another session.
 */
export const mintSessionRoute = defineRoute({
  name: 'mintImportSession',
  summary: "Mint a session for a signed-in user's browser",
  method: 'POST',
  path: '/v1/import/sessions/:workspaceId/:schemaId',
  host: 'ingest',
  principal: 'capability',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: deliveryParamsSchema,
  body: { kind: 'json', schema: mintRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: mintedSessionSchema, description: 'The session with its token' },
  errors: ['origin_not_allowed', 'limit_reached'],
  noStore: true,
  async handle({ principal, services, submit }) {
    const { capabilityId, schemaId, workspace } = principal;
    const token = secretFrom('import', services.entropy.bytes(SECRET_BYTES));
    const input = { capabilityId, schemaId, digest: secretDigest(token) };
    const result = await send({ submit }, workspace.installationId, 'mint-session', input);
    const { schemaRevision, origin, delegateApproval, expiresAt } = resultSchema.parse(result);
    return {
      body: {
        ...sessionBounds(services, workspace, schemaId),
        schemaRevision,
        sessionToken: token,
        origin,
        ingestOrigin: services.hosts.ingest,
        expiresAt: isoTime(expiresAt),
        approvalDelegated: delegateApproval,
      },
    };
  },
});

/** The result of `mint-session`. */
const resultSchema = z.strictObject({
  schemaRevision: z.int().positive(),
  origin: z.string(),
  delegateApproval: z.boolean(),
  expiresAt: epochMsSchema,
});
