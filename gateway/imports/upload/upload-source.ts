import { serviceError } from '../../../schemas/base/errors.ts';
import { sourceName } from '../../../schemas/imports/blobs.ts';
import { FILE } from '../../../schemas/imports/example-import.ts';
import { uploadAnswerSchema } from '../../../schemas/imports/http.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../../services.ts';
import { importUploader } from '../audiences.ts';
import { type ImportReader, type LoadedImport, loadImport, refuse } from '../load-import.ts';
import { refuseAfterReload } from '../reload-import.ts';
import { receiveSource } from './receive-source.ts';

const SOURCE_NAME_BYTES = 16;

/** The same bytes again are answered alike. */
export const uploadSourceRoute = importUploader.put('/:importId', {
  name: 'uploadImportSource',
  summary: "Upload an import's file",
  description:
    'Uploads the file of a reserved import. Its length and SHA-256 must be the announced ones. A fault of the header row answers 200 with `failure`.',
  body: { kind: 'stream', contentType: 'text/csv', arrival: 'upload' },
  requestExample: FILE,
  success: { status: 200, schema: uploadAnswerSchema, description: 'The import with its file' },
  errors: ['upload_conflict', 'limit_reached', 'revision_conflict', 'state_conflict', 'cancelled'],
  async handle({ principal, params, headers, stream, services, submit }) {
    const { installationId } = principal.workspace;
    const { importId } = params;
    const source = sourceName(Buffer.from(services.entropy.bytes(SOURCE_NAME_BYTES)).toString('hex'));
    const fault = await refuseAfterReload(
      () => loadReceiving(services, principal.workspace, importId),
      async ({ document }) => {
        const { byteLength, sha256 } = document;
        if (Number(headers['content-length'] ?? 0) > byteLength) {
          throw serviceError('payload_too_large', {
            at: 'header.Content-Length',
            seen: 'more bytes than announced',
            expected: `${byteLength}`,
          });
        }
        const announced = { installationId, importId, source, byteLength, sha256 };
        return await receiveSource(services, stream, announced, () => countAttempt(services, importId));
      },
    );
    const input = { importId, source, fault };
    return { body: await submit({ topic: 'imports', key: installationId, type: 'import-uploaded', input }) };
  },
});

/** An import that takes its file, or has it: then the same bytes are answered alike. */
async function loadReceiving(
  services: ImportReader,
  workspace: WorkspaceView,
  importId: string,
): Promise<LoadedImport> {
  const loaded = await loadImport(services, workspace, importId);
  const { document, effective } = loaded;
  refuse(endedRefusal(effective));
  if (document.source === null) refuse(workRefusal(effective) ?? statusRefusal(effective, ['reserved']));
  return loaded;
}

/**
 * Counts an upload that is about to write bytes. Each one counts, with any token and any result, so an import writes
 * at most a few times its announced length.
 *
 * @throws {ServiceError} `limit_reached` if all attempts of the import are used up
 * @throws {EngineUnavailableError} while the counters are down: an upload that cannot be counted is not written
 */
async function countAttempt(
  { counters, limits }: Pick<GatewayServices, 'counters' | 'limits'>,
  importId: string,
): Promise<void> {
  const { uploadAttempts, retentionMs } = limits.imports;
  const { allowed } = await counters.take(`uploads:${importId}`, uploadAttempts, retentionMs);
  if (allowed) return;
  throw serviceError('limit_reached', {
    at: 'import.uploadAttempts',
    seen: `all ${uploadAttempts} used`,
    expected: 'one that is left; reserve another import with another idempotencyKey',
  });
}
