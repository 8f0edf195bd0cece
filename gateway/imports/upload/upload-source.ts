import { serviceError } from '../../../schemas/base/errors.ts';
import { sourceName } from '../../../schemas/imports/blobs.ts';
import { uploadAnswerSchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import { defineRoute } from '../../route.ts';
import { send } from '../actions.ts';
import { loadImport, refuse } from '../load-import.ts';
import { receiveSource } from './receive-source.ts';

const SOURCE_NAME_BYTES = 16;

/** PUT `{ingest}/v1/import/uploads/{importId}`: the bytes that were announced. The same bytes again are answered alike. */
export const uploadSourceRoute = defineRoute({
  name: 'uploadImportSource',
  summary: "Upload an import's file",
  method: 'PUT',
  path: '/v1/import/uploads/:importId',
  host: 'ingest',
  principal: 'upload',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'stream', contentType: 'text/csv' },
  success: { status: 200, schema: uploadAnswerSchema, description: 'The import with its file' },
  errors: ['upload_conflict', 'revision_conflict', 'state_conflict', 'cancelled'],
  noStore: true,
  async handle({ principal, params, headers, stream, services, submit }) {
    const { installationId } = principal.workspace;
    const { importId } = params;
    const { document, effective } = await loadImport(services, principal.workspace, importId);
    refuse(endedRefusal(effective));
    if (document.source === null) refuse(workRefusal(effective) ?? statusRefusal(effective, ['reserved']));
    const { byteLength, sha256 } = document;
    if (Number(headers['content-length'] ?? 0) > byteLength) {
      throw serviceError('payload_too_large', `body: expected the announced ${byteLength} bytes.`);
    }
    const random = Buffer.from(services.entropy.bytes(SOURCE_NAME_BYTES)).toString('hex');
    const source = sourceName(random);
    const fault = await receiveSource(services, stream, {
      installationId,
      importId,
      source,
      byteLength,
      sha256,
    });
    return { body: await send({ submit }, installationId, 'import-uploaded', { importId, source, fault }) };
  },
});
