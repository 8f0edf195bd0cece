import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import {
  configureRequestSchema,
  installationParamsSchema,
  schemaAnswerSchema,
} from '../../../schemas/imports/http.ts';
import { checkOrigins } from '../../http/allowed-origins.ts';
import { defineRoute } from '../../http/route.ts';
import { send } from '../actions.ts';
import { schemaAnswer } from './schema-answer.ts';

/** POST `…/svcimport/schemas`: a schema with its first revision. */
export const createSchemaRoute = defineRoute({
  name: 'createImportSchema',
  summary: 'Configure a new import schema',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/schemas',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationParamsSchema,
  body: { kind: 'json', schema: configureRequestSchema, limit: 'configurationBytes' },
  success: { status: 201, schema: schemaAnswerSchema, description: 'The schema' },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const schemaId = idFrom('schema', services.entropy.bytes(ID_BYTES));
    const input = { schemaId, configuration };
    const result = await send({ submit }, params.installationId, 'create-schema', input, { idempotencyKey });
    return { body: schemaAnswer(result, configuration) };
  },
});
