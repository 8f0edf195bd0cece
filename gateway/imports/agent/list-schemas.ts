import { installationParamsSchema, schemaListSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { listSchemas } from '../schema-list.ts';

/** GET `…/svcimport/schemas`. */
export const listSchemasRoute = defineRoute({
  name: 'listImportSchemas',
  summary: 'List the import schemas of the installation',
  method: 'GET',
  path: '/v1/installations/:installationId/svcimport/schemas',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: schemaListSchema, description: 'The schemas' },
  errors: [],
  async handle({ params, services }) {
    return { body: await listSchemas(services, params.installationId) };
  },
});
