import {
  configureRequestSchema,
  installationSchemaParamsSchema,
  schemaAnswerSchema,
} from '../../../schemas/imports/http.ts';
import { checkOrigins } from '../../http/allowed-origins.ts';
import { defineRoute } from '../../http/route.ts';
import { send } from '../actions.ts';
import { schemaAnswer } from './schema-answer.ts';

/** POST `…/svcimport/schemas/{schemaId}`: the next revision of a schema. */
export const reviseSchemaRoute = defineRoute({
  name: 'reviseImportSchema',
  summary: 'Configure the next revision of an import schema',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/schemas/:schemaId',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationSchemaParamsSchema,
  body: { kind: 'json', schema: configureRequestSchema, limit: 'configurationBytes' },
  success: { status: 200, schema: schemaAnswerSchema, description: 'The schema in its current revision' },
  errors: ['idempotency_conflict', 'revision_conflict'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const input = { schemaId: params.schemaId, configuration };
    const result = await send({ submit }, params.installationId, 'revise-schema', input, { idempotencyKey });
    return { body: schemaAnswer(result, configuration) };
  },
});
