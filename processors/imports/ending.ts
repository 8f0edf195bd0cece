import type { ImportDocument } from '../../schemas/imports/documents.ts';
import { mappingRowId } from '../../schemas/imports/row-ids.ts';
import type { Effect, FoldContext, FoldResult, Scope } from '../runtime/fold.ts';
import { endAttempt, removeAttemptBytes, removeImportBytes, removeValidationBytes } from './attempt.ts';
import type { ImportsFold } from './imports-fold.ts';

type EndingScope = Pick<Scope<ImportsFold>, 'context' | 'limits'>;

/** An import that has ended, with what goes along. */
export interface Ended extends Required<Pick<FoldResult<ImportsFold>, 'remove' | 'effects'>> {
  readonly document: ImportDocument;
}

/**
 * Archives an import that has ended. Its counts stay, and whatever was approved, so that it can be acknowledged
 */
export function cutDown(scope: EndingScope, importId: string, document: ImportDocument): Ended {
  const { context } = scope;
  const approved = document.approvals.map(({ attempt }) => attempt);
  const running = document.status === 'validating';
  return {
    document: { ...(running ? endAttempt(document, null) : document), tidiedAt: context.now },
    remove: [{ kind: 'mapping', id: mappingRowId(importId, document.mappingRevision) }],
    effects: [
      removeImportBytes(context, importId),
      ...removeValidationBytes(context, importId, document),
      endUploadToken(document),
      ...attemptsOf(document)
        .filter((attempt) => !approved.includes(attempt))
        .map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Everything of an import that is erased, but its own row. */
export function wipe(
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
      ...wipeBytes(context, importId, document),
      ...attempts.map((attempt) => forgetAttempt(scope, importId, document, attempt)),
    ],
  };
}

/** Removes every private byte of an import, and the token that could bring some. */
export function wipeBytes(context: FoldContext, importId: string, document: ImportDocument): Effect[] {
  return [
    removeImportBytes(context, importId),
    ...attemptsOf(document).map((attempt) => removeAttemptBytes(context, importId, attempt)),
    endUploadToken(document),
  ];
}

/** The numbers of all validations that were ever started. */
function attemptsOf({ validations }: ImportDocument): number[] {
  return Array.from({ length: validations }, (_, index) => index + 1);
}

function endUploadToken({ uploadToken }: ImportDocument): Effect {
  const { digest, endsAt } = uploadToken;
  return { kind: 'lookup', lookup: { kind: 'upload-token', digest, target: null, expiresAt: endsAt } };
}

/** A validation has up to a few hundred rows: each is forgotten by a separate command, so that a commit stays small. */
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
