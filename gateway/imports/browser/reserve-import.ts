import { reservationSchema, sessionReserveRequestSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { reserveImport } from '../reserve-import.ts';
import { sessionKey } from './own-import.ts';

const NAME = 'reserveSessionImport';

/** POST `…/browser/imports`: charges an import, for the session's revision, and hands out an upload token. */
export const reserveSessionImportRoute = defineRoute({
  name: NAME,
  summary: 'Reserve an import and get a token to upload its file, as a browser',
  method: 'POST',
  path: '/v1/import/browser/imports',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  body: { kind: 'json', schema: sessionReserveRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: reservationSchema, description: 'The reservation' },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached', 'cancelled', 'erased', 'gone'],
  noStore: true,
  async handle({ principal, body, services, submit }) {
    const { sessionDigest, owned, schemaRevision, workspace } = principal;
    const { byteLength, sha256 } = body;
    const { installationId } = workspace;
    const file = { session: sessionDigest, revision: schemaRevision, byteLength, sha256 };
    const key = { operation: NAME, idempotencyKey: sessionKey(principal, body.idempotencyKey) };
    return {
      body: await reserveImport({ submit }, services, { installationId, ...owned, ...file }, key),
    };
  },
});
