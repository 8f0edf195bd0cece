import { bindingSchema, installationImportParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { loadImport, loadPartitions } from '../load-import.ts';

/** GET `…/svcimport/imports/{importId}/binding`: digests only. */
export const readBindingRoute = defineRoute({
  name: 'readImportBinding',
  summary: 'Read the digests that bind an approval to a file, schema and mapping',
  method: 'GET',
  path: '/v1/installations/:installationId/svcimport/imports/:importId/binding',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationImportParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: bindingSchema, description: 'The digests' },
  errors: ['erased'],
  async handle({ principal, params, services }) {
    const loaded = await loadImport(services, principal.workspace, params.importId);
    const { document, effective } = loaded;
    const partitions = await loadPartitions(services, principal.workspace, loaded);
    return {
      body: {
        importId: params.importId,
        schemaId: document.schemaId,
        schemaRevision: document.schemaRevision,
        mappingRevision: document.mappingRevision === 0 ? null : document.mappingRevision,
        sourceSha256: document.sha256,
        validationDigest: effective.validation?.digest ?? null,
        batchIds: partitions.flatMap(({ outcome }) => outcome?.batchId ?? []),
      },
    };
  },
});
