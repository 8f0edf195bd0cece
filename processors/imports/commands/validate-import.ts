import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import { statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { SplitItem } from '../../../schemas/imports/work-items.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import { endAttempt, INTERNAL_FAILURE, removeValidationBytes, workTopic } from '../attempt.ts';
import {
  type FoundImport,
  findImport,
  importChange,
  importEntity,
  importRows,
  statusResult,
  withDocument,
} from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

type Validate = Scope<ImportsFold, 'validate-import'>;

/**
 * Starts a validation: one at a time in an installation, a bounded number for an import. A slot whose
 * lease has ended is given away, and the attempt that held it ends with that.
 */
export const validateImport: CommandHandler<ImportsFold, 'validate-import'> = {
  reads({ input: { importId } }, view) {
    const slot = view.root?.validationSlot;
    return [...importRows(importId, view), ...(slot == null ? [] : [{ kind: 'import', id: slot.importId }])];
  },
  fold(scope) {
    const named = findImport(scope, 'refused');
    if ('refused' in named) return refused(named.refused);
    const expired = expireAttempt(scope);
    const found = expired?.importId === named.importId ? withDocument(scope, named, expired.ended) : named;
    const reason =
      workRefusal(found.effective) ??
      statusRefusal(found.effective, ['uploaded', 'needs_correction', 'ready']) ??
      mappingRefusal(found.document) ??
      quotaRefusal(scope, found.document, expired);
    return reason === null ? start(scope, found, expired) : refused(reason);
  },
};

function mappingRefusal({ mappingRevision }: ImportDocument): Refusal | null {
  return mappingRevision === 0
    ? refusal('state_conflict', {
        at: 'import.mappingRevision',
        seen: 'an import without a mapping',
        expected: 'a mapping; submit one first',
      })
    : null;
}

/** More of this import is never possible, so that is said first; another import's validation ends at some time. */
function quotaRefusal(
  { root, limits }: Validate,
  document: ImportDocument,
  expired: ExpiredAttempt | null,
): Refusal | null {
  const { validationsPerImport, artifactBytes } = limits.imports;
  if (document.validations >= validationsPerImport) {
    return refusal('limit_reached', {
      at: 'import.validations',
      seen: `${document.validations} that were made`,
      expected: `fewer; an import can be validated ${validationsPerImport} times`,
    });
  }
  const charge = knownCharge(document);
  if (document.artifactBytes + charge > artifactBytes) {
    return refusal('limit_reached', {
      at: 'plan.artifactBytes',
      seen: `${document.artifactBytes} of ${artifactBytes} bytes reserved`,
      expected: `room for ${charge} more; each validation of this file reserves that for its batches`,
    });
  }
  if (root.validationSlot === null || expired !== null) return null;
  return refusal(
    'limit_reached',
    {
      at: 'installation.validations',
      seen: 'one that is running',
      expected: 'none; wait until it has ended',
    },
    SLOT_RETRY_SECONDS,
  );
}

/**
 * Returns the bytes that every split of the import reserves, or 0 if they are unknown. Bytes and fields of an import
 * never change, so each split reserves the same. An import of an earlier program version has only the sum of all
 * splits.
 */
function knownCharge({ artifactCharge, artifactBytes, validations }: ImportDocument): number {
  return artifactCharge ?? (validations === 0 ? 0 : Math.floor(artifactBytes / validations));
}

/** A full-size file takes about a second; the lease, which bounds a validation that hangs, would be minutes. */
const SLOT_RETRY_SECONDS = 2;

/** An attempt that holds the slot although its lease has ended. */
interface ExpiredAttempt {
  readonly importId: string;
  readonly document: ImportDocument;
  /** The change to it when the slot is given away. */
  readonly ended: ImportDocument;
}

function expireAttempt({ row, root, context }: Validate): ExpiredAttempt | null {
  const slot = root.validationSlot;
  if (slot === null || slot.leaseUntil > context.now) return null;
  const document = row('import', slot.importId);
  if (document === null) throw new Error('ending a validation whose import is not there');
  return { importId: slot.importId, document, ended: endAttempt(document, INTERNAL_FAILURE) };
}

function start(
  scope: Validate,
  found: FoundImport,
  expired: ExpiredAttempt | null,
): FoldResult<ImportsFold, 'validate-import'> {
  const { root, context, limits } = scope;
  const { importId, document } = found;
  const attempt = document.validations + 1;
  const next: ImportDocument = {
    ...document,
    status: 'validating',
    validations: attempt,
    validation: { attempt, split: null, done: 0, valid: 0, invalid: 0, errorCounts: [], digest: null },
    failure: null,
  };
  const leaseUntil = context.now + limits.imports.validationLeaseMs;
  const another = expired !== null && expired.importId !== importId ? [expired] : [];
  return {
    outcome: statusResult(scope, found, next),
    root: { ...root, validationSlot: { importId, attempt, leaseUntil } },
    put: [...another.map(({ importId: id, ended }) => importChange(id, ended)), importChange(importId, next)],
    effects: [
      ...removeValidationBytes(context, importId, document),
      ...(expired === null ? [] : removeValidationBytes(context, expired.importId, expired.document)),
      {
        kind: 'command',
        topic: workTopic(root, 'splits'),
        key: importId,
        type: 'split-import',
        input: splitItem(scope, found, attempt),
      },
    ],
    remember: { entity: importEntity(importId) },
  };
}

function splitItem(
  { context, limits }: Validate,
  { importId, document, lifecycle }: FoundImport,
  attempt: number,
): SplitItem {
  if (document.source === null) throw new Error('validating an import without a source');
  return {
    installationId: context.aggregate,
    importId,
    attempt,
    source: document.source.name,
    byteLength: document.byteLength,
    sha256: document.sha256,
    rowsMax: limits.plans[lifecycle.plan].importRows,
  };
}
