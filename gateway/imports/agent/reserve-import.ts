import {
  installationSchemaParamsSchema,
  reservationSchema,
  reserveRequestSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { reserveImport } from '../reserve-import.ts';

const NAME = 'reserveImport';

/** POST `…/svcimport/schemas/{schemaId}/imports`: charges an import and hands out an upload token. */
export const reserveImportRoute = defineRoute({
  name: NAME,
  summary: 'Reserve an import and get a token to upload its file',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/schemas/:schemaId/imports',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'management',
  params: installationSchemaParamsSchema,
  body: { kind: 'json', schema: reserveRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 201,
    schema: reservationSchema,
    description:
      'The reservation; the same again for the same key, with a new token once the last one has ended',
  },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached', 'cancelled', 'erased', 'gone'],
  noStore: true,
  async handle({ params, body, services, submit }) {
    const { idempotencyKey, revision, byteLength, sha256 } = body;
    const wanted = { ...params, session: null, revision, byteLength, sha256 };
    return { body: await reserveImport({ submit }, services, wanted, { operation: NAME, idempotencyKey }) };
  },
});
