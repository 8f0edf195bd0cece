import type { ImportDocument } from '../../schemas/imports/documents.ts';
import { mappingRowId } from '../../schemas/imports/row-ids.ts';
import type { Effect, FoldResult, Scope } from '../runtime/fold/fold.ts';
import {
  endAttempt,
  removeAttemptBytes,
  removeFileName,
  removeImportBytes,
  removeValidationBytes,
} from './attempt.ts';
import type { ImportsFold } from './imports-fold.ts';

type EndingScope = Pick<Scope<ImportsFold>, 'context' | 'limits'>;

/** An ended import, with the rows to remove and the effects of its end. */
export interface Ended extends Required<Pick<FoldResult<ImportsFold>, 'remove' | 'effects'>> {
  readonly document: ImportDocument;
}

/**
 * Archives an import that has ended. Its counts stay. Approved validations stay too, so that their batches can still be
 * acknowledged.
 */
export function archiveImport(scope: EndingScope, importId: string, document: ImportDocument): Ended {
  const { context } = scope;
  const approved = document.approvals.map(({ attempt }) => attempt);
  const running = document.status === 'validating';
  return {
    document: { ...(running ? endAttempt(document, null) : document), tidiedAt: context.now },
    remove: [{ kind: 'mapping', id: mappingRowId(importId, document.mappingRevision) }],
    effects: [
      removeImportBytes(context, importId),
      removeFileName(context, importId),
      ...removeValidationBytes(context, importId, document),
      ...endUploadToken(document),
      ...attemptsOf(scope, document)
        .filter((attempt) => !approved.includes(attempt))
        .map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Removes everything of an erased import but its own row. Of one that cannot be read, the parts that are known. */
export function purgeImport(
  scope: EndingScope,
  importId: string,
  document: Partial<ImportDocument>,
): Required<Pick<FoldResult<ImportsFold>, 'remove' | 'effects'>> {
  const { mappingRevision = 0, timelineId, approvals = [] } = document;
  const attempts = attemptsOf(scope, document);
  return {
    remove: [
      { kind: 'mapping', id: mappingRowId(importId, mappingRevision) },
      ...(timelineId === undefined ? [] : [{ kind: 'timeline' as const, id: timelineId }]),
      ...approvals.map(({ deliveryId }) => ({ kind: 'delivery' as const, id: deliveryId })),
    ],
    effects: [
      ...purgeBytes(scope, importId, document),
      ...attempts.map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Removes every private byte of an import, and ends its upload token. */
export function purgeBytes(
  scope: EndingScope,
  importId: string,
  document: Partial<ImportDocument>,
): Effect[] {
  const { context } = scope;
  return [
    removeImportBytes(context, importId),
    removeFileName(context, importId),
    ...attemptsOf(scope, document).map((attempt) => removeAttemptBytes(context, importId, attempt)),
    ...endUploadToken(document),
  ];
}

/** Returns the numbers of all validations that were ever started, or may have been. */
function attemptsOf({ limits }: EndingScope, document: Partial<ImportDocument>): number[] {
  const { validations = limits.imports.validationsPerImport } = document;
  return Array.from({ length: validations }, (_, index) => index + 1);
}

function endUploadToken({ uploadToken }: Partial<ImportDocument>): Effect[] {
  if (uploadToken === undefined) return [];
  const { digest, endsAt } = uploadToken;
  return [{ kind: 'index', entry: { kind: 'upload-token', digest, target: null, expiresAt: endsAt } }];
}

/** Sends a separate command for each validation, which has up to a few hundred rows, so that a commit stays small. */
function forgetAttempt(
  { context, limits }: EndingScope,
  importId: string,
  { validation }: Partial<ImportDocument>,
  attempt: number,
): Effect {
  // Every validation of a file cuts it alike.
  const partitions = validation?.split?.partitions ?? limits.imports.partitions;
  const input = { importId, attempt, partitions };
  return { kind: 'command', topic: 'imports', key: context.aggregate, type: 'forget-attempt', input };
}
