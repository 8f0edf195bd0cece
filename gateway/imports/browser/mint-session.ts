import { z } from 'zod';
import { sha256Schema } from '../../../schemas/base/digest.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';
import {
  deliveryParamsSchema,
  mintedSessionSchema,
  mintRequestSchema,
} from '../../../schemas/imports/http.ts';
import { creationSecret } from '../../http/derive.ts';
import { defineRoute } from '../../http/route.ts';
import { send } from '../actions.ts';
import { sessionBounds } from './session-bounds.ts';

/**
 * POST `{ingest}/v1/import/sessions/{workspaceId}/{schemaId}`: a session for one browser. Every request makes another session,
 * unless it repeats an `Idempotency-Key`: then it returns the same token.
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
  idempotencyHeader: true,
  success: { status: 201, schema: mintedSessionSchema, description: 'The session with its token' },
  errors: ['origin_not_allowed', 'limit_reached', 'gone'],
  noStore: true,
  async handle({ principal, idempotencyKey, services, submit }) {
    const { id: capabilityId, owned, workspace } = principal;
    const { schemaId } = owned;
    const { installationId } = workspace;
    const caller = { capabilityId, schemaId };
    const scope = ['mintImportSession', installationId, schemaId, capabilityId];
    const token = creationSecret(services, 'import', idempotencyKey, scope);
    const input = { ...caller, digest: token.digest };
    const options = { digestInput: caller };
    const result = await send({ submit }, installationId, 'mint-session', input, options);
    const { digest, schemaRevision, origin, delegateApproval, expiresAt } = resultSchema.parse(result);
    return {
      body: {
        ...sessionBounds(services, workspace, schemaId),
        schemaRevision,
        sessionToken: token.again(digest),
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
  digest: sha256Schema,
  schemaRevision: z.int().positive(),
  origin: z.string(),
  delegateApproval: z.boolean(),
  expiresAt: epochMsSchema,
});
