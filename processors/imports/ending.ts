import type { ImportDocument } from '../../schemas/imports/documents.ts';
import { mappingRowId } from '../../schemas/imports/row-ids.ts';
import type { Effect, FoldContext, FoldResult, Scope } from '../runtime/fold/fold.ts';
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
      endUploadToken(document),
      ...attemptsOf(document)
        .filter((attempt) => !approved.includes(attempt))
        .map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Removes everything of an erased import but its own row. */
export function purgeImport(
  scope: EndingScope,
  importId: string,
  document: ImportDocument,
): Required<Pick<FoldResult<ImportsFold>, 'remove' | 'effects'>> {
  const { context } = scope;
  const attempts = attemptsOf(document);
  return {
    remove: [
      { kind: 'mapping', id: mappingRowId(importId, document.mappingRevision) },
      { kind: 'timeline', id: document.timelineId },
      ...document.approvals.map(({ deliveryId }) => ({ kind: 'delivery' as const, id: deliveryId })),
    ],
    effects: [
      ...purgeBytes(context, importId, document),
      ...attempts.map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Removes every private byte of an import, and ends its upload token. */
export function purgeBytes(context: FoldContext, importId: string, document: ImportDocument): Effect[] {
  return [
    removeImportBytes(context, importId),
    removeFileName(context, importId),
    ...attemptsOf(document).map((attempt) => removeAttemptBytes(context, importId, attempt)),
    endUploadToken(document),
  ];
}

/** Returns the numbers of all validations that were ever started. */
function attemptsOf({ validations }: ImportDocument): number[] {
  return Array.from({ length: validations }, (_, index) => index + 1);
}

function endUploadToken({ uploadToken }: ImportDocument): Effect {
  const { digest, endsAt } = uploadToken;
  return { kind: 'index', entry: { kind: 'upload-token', digest, target: null, expiresAt: endsAt } };
}

/** Sends a separate command for each validation, which has up to a few hundred rows, so that a commit stays small. */
function forgetAttempt(
  { context, limits }: EndingScope,
  importId: string,
  { validation }: ImportDocument,
  attempt: number,
): Effect {
  // Every validation of a file cuts it alike.
  const partitions = validation?.split?.partitions ?? limits.imports.partitions;
  const input = { importId, attempt, partitions };
  return { kind: 'command', topic: 'imports', key: context.aggregate, type: 'forget-attempt', input };
}
