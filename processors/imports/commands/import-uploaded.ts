import type { Refusal } from '../../../schemas/base/errors.ts';
import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import { removeImportBytes } from '../attempt.ts';
import { findImport, importChange, importRows } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { owningSession, SESSION_ENDED } from '../sessions.ts';

/**
 * Binds uploaded bytes to their import: the first to arrive stay, others are removed. The gateway has compared length and
 * digest with what was announced, so all of them are the same bytes.
 */
export const importUploaded: CommandHandler<ImportsFold, 'import-uploaded'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { input, context, limits } = scope;
    const { importId, source, fault } = input;
    const remove: Effect = { kind: 'remove-blob', address: sourceBlob(context.aggregate, importId, source) };
    const found = findImport(scope, 'refused');
    if ('refused' in found) return refused(found.refused, [remove]);
    const { document, effective } = found;
    const ended = endedRefusal(effective) ?? sessionRefusal(scope, document);
    if (ended !== null) return refused(ended, [remove]);
    if (document.source !== null) {
      const losing = document.source.name !== source;
      return { outcome: uploaded(importId, document), effects: losing ? [remove] : [] };
    }
    const reason = workRefusal(effective) ?? statusRefusal(effective, ['reserved']);
    if (reason !== null) return refused(reason, [remove]);
    const next: ImportDocument = {
      ...document,
      status: fault === null ? 'uploaded' : 'failed',
      retainedUntil: context.now + limits.imports.retentionMs,
      source: { name: source, uploadedAt: context.now },
      failure: fault,
    };
    return {
      outcome: uploaded(importId, next),
      put: [importChange(importId, next)],
      // A file that failed as a whole is of no use.
      effects: fault === null ? [] : [removeImportBytes(context, importId)],
    };
  },
};

/** The token of an upload ends with the browser session that it was handed out to. */
function sessionRefusal(
  scope: Scope<ImportsFold, 'import-uploaded'>,
  document: ImportDocument,
): Refusal | null {
  return document.session === null || owningSession(scope, document) !== null ? null : SESSION_ENDED;
}

function uploaded(
  importId: string,
  { status, byteLength, sha256, failure }: ImportDocument,
): FoldResult<ImportsFold, 'import-uploaded'>['outcome'] {
  return { kind: 'done', result: { importId, status, byteLength, sha256, failure } };
}
