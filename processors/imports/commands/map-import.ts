import { refusal } from '../../../schemas/base/errors.ts';
import { mappingBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import { mappingRowId } from '../../../schemas/imports/row-ids.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { Effect } from '../../runtime/fold.ts';
import { endAttempt, removeValidationBytes } from '../attempt.ts';
import {
  findImport,
  type InputOf,
  importChange,
  importRows,
  refusedWith,
  type Scope,
  type Step,
  statusResult,
} from '../step.ts';

/**
 * Makes the next mapping revision current: validation and approval are void and what they wrote is removed. The current
 * revision with the same content is answered alike (contract D).
 */
export const mapImport: Step<'map-import'> = {
  reads({ importId }, view) {
    const rows = importRows(importId, view);
    const document = view.peek('import', importId);
    if (document != null) rows.push(mappingRow(importId, document.mappingRevision));
    return rows;
  },
  fold(scope) {
    const { view, input, context } = scope;
    const { importId, revision, columns, digest } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refusedWith(found.refused, [removeMapping(scope, revision, digest)]);
    const { document, effective } = found;
    const current = view.row('mapping', mappingRowId(importId, document.mappingRevision));
    const same = revision === document.mappingRevision && digest === current?.digest;
    const ended = endedRefusal(effective);
    if (ended === null && same) return { outcome: statusResult(scope, found, document) };
    const refused =
      ended ??
      workRefusal(effective) ??
      statusRefusal(effective, ['uploaded', 'needs_correction', 'ready', 'approved']) ??
      revisionRefusal(document, revision);
    if (refused !== null) return refusedWith(refused, [removeMapping(scope, revision, digest)]);
    const next: ImportDocument = { ...endAttempt(document, null), mappingRevision: revision };
    const before = current === null ? [] : [removeMapping(scope, document.mappingRevision, current.digest)];
    return {
      outcome: statusResult(scope, found, next),
      put: [
        importChange(importId, next),
        { ...mappingRow(importId, revision), document: { columns, digest, createdAt: context.now } },
      ],
      remove: [
        ...(current === null ? [] : [mappingRow(importId, document.mappingRevision)]),
        ...(effective.approval === null
          ? []
          : [{ kind: 'delivery' as const, id: effective.approval.deliveryId }]),
      ],
      effects: [...removeValidationBytes(context, importId, document), ...before],
    };
  },
};

function mappingRow(importId: string, revision: number): RowKey & { readonly kind: 'mapping' } {
  return { kind: 'mapping', id: mappingRowId(importId, revision) };
}

function revisionRefusal({ mappingRevision }: ImportDocument, revision: number) {
  const next = mappingRevision + 1;
  if (revision === next) return null;
  return refusal('revision_conflict', `The next mapping revision of this import is ${next}.`);
}

/** The names of a mapping that is not, or no longer, the import's. */
function removeMapping(
  { input, context }: Scope<InputOf<'map-import'>>,
  revision: number,
  digest: string,
): Effect {
  return { kind: 'remove-blob', address: mappingBlob(context.aggregate, input.importId, revision, digest) };
}
