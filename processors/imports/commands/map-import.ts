import { refusal } from '../../../schemas/base/errors.ts';
import { mappingBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import { mappingRowId } from '../../../schemas/imports/row-ids.ts';
import { endedRefusal, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, Effect, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import { endAttempt, removeValidationBytes } from '../attempt.ts';
import { findImport, importChange, importRows, statusResult } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

/**
 * Makes the next mapping revision current: validation and approval are void and what they wrote is removed. The current
 * revision with the same content is answered alike.
 */
export const mapImport: CommandHandler<ImportsFold, 'map-import'> = {
  reads({ input: { importId } }, view) {
    const rows = importRows(importId, view);
    const document = view.peek('import', importId);
    if (document != null) rows.push(mappingRow(importId, document.mappingRevision));
    return rows;
  },
  fold(scope) {
    const { row, input, context } = scope;
    const { importId, revision, columns, digest, blob } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refused(found.refused, [removeMapping(scope, input)]);
    const { document, effective } = found;
    const current = row('mapping', mappingRowId(importId, document.mappingRevision));
    const same = revision === document.mappingRevision && digest === current?.digest;
    const ended = endedRefusal(effective);
    const isCurrent = same && blob === current?.blob;
    if (ended === null && same) {
      const effects = isCurrent ? [] : [removeMapping(scope, input)];
      return { outcome: statusResult(scope, found, document), effects };
    }
    const reason =
      ended ??
      workRefusal(effective) ??
      statusRefusal(effective, ['uploaded', 'needs_correction', 'ready', 'approved']) ??
      revisionRefusal(document, revision);
    if (reason !== null) return refused(reason, isCurrent ? [] : [removeMapping(scope, input)]);
    const next: ImportDocument = { ...endAttempt(document, null), mappingRevision: revision };
    const before =
      current === null ? [] : [removeMapping(scope, { ...current, revision: document.mappingRevision })];
    return {
      outcome: statusResult(scope, found, next),
      put: [
        importChange(importId, next),
        {
          ...mappingRow(importId, revision),
          document: { columns, digest, ...(blob === undefined ? {} : { blob }), createdAt: context.now },
        },
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
  return refusal('revision_conflict', {
    at: 'body.revision',
    seen: 'another number',
    expected: `${next}, the next mapping revision of this import`,
  });
}

/** The names of a mapping that is not, or no longer, the import's. */
function removeMapping(
  { input, context }: Scope<ImportsFold, 'map-import'>,
  mapping: Parameters<typeof mappingBlob>[2],
): Effect {
  return { kind: 'remove-blob', address: mappingBlob(context.aggregate, input.importId, mapping) };
}
