import { importStatusSchema, installationImportParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { loadImport } from '../load-import.ts';
import { statusAnswer } from '../status-answer.ts';

/** GET `…/svcimport/imports/{importId}`: counts only, also of an import that has ended. */
export const readImportRoute = defineRoute({
  name: 'readImport',
  summary: "Read an import's status and counts",
  method: 'GET',
  path: '/v1/installations/:installationId/svcimport/imports/:importId',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationImportParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: importStatusSchema, description: 'The import' },
  errors: ['erased'],
  async handle({ principal, params, services }) {
    const loaded = await loadImport(services, principal.workspace, params.importId);
    return { body: statusAnswer(services, loaded) };
  },
});
