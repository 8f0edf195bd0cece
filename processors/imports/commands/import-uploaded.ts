import type { Refusal } from '../../../schemas/base/errors.ts';
import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { Effect } from '../../runtime/fold.ts';
import { removeImportBytes } from '../attempt.ts';
import { owningSession, SESSION_ENDED } from '../sessions.ts';
import {
  findImport,
  type ImportsResult,
  importChange,
  importRows,
  refusedWith,
  type Scope,
  type Step,
} from '../step.ts';

/**
 * Binds uploaded bytes to their import: the first to arrive stay, others are removed. The gateway has compared length and
 * digest with what was announced, so all of them are the same bytes.
 */
export const importUploaded: Step<'import-uploaded'> = {
  reads: ({ importId }, view) => importRows(importId, view),
  fold(scope) {
    const { input, context, limits } = scope;
    const { importId, source, fault } = input;
    const remove: Effect = { kind: 'remove-blob', address: sourceBlob(context.aggregate, importId, source) };
    const found = findImport(scope, 'refused');
    if ('refused' in found) return refusedWith(found.refused, [remove]);
    const { document, effective } = found;
    const ended = endedRefusal(effective) ?? sessionRefusal(scope, document);
    if (ended !== null) return refusedWith(ended, [remove]);
    if (document.source !== null) {
      const losing = document.source.name !== source;
      return { outcome: uploaded(importId, document), effects: losing ? [remove] : [] };
    }
    const refused = workRefusal(effective) ?? statusRefusal(effective, ['reserved']);
    if (refused !== null) return refusedWith(refused, [remove]);
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
      // Nobody can use a file that failed as a whole.
      effects: fault === null ? [] : [removeImportBytes(context, importId)],
    };
  },
};

/** The token of an upload ends with the browser session that it was handed out to. */
function sessionRefusal(scope: Scope, document: ImportDocument): Refusal | null {
  return document.session === null || owningSession(scope, document) !== null ? null : SESSION_ENDED;
}

function uploaded(
  importId: string,
  { status, byteLength, sha256, failure }: ImportDocument,
): ImportsResult['outcome'] {
  return { kind: 'done', result: { importId, status, byteLength, sha256, failure } };
}
