import { refusal } from '../../../schemas/base/errors.ts';
import { type ImportDocument, type StoredStatus, WITHOUT_FILE } from '../../../schemas/imports/documents.ts';
import {
  effectiveImport,
  endedRefusal,
  importStatusAnswer,
  statusRefusal,
} from '../../../schemas/imports/status.ts';
import type { Lifecycle } from '../../../schemas/workspaces/lifecycle.ts';
import { NOT_YET_KNOWN } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/fold/results.ts';
import { freeSlot } from '../attempt.ts';
import { archiveImport, purgeImport } from '../ending.ts';
import {
  absence,
  effectiveNow,
  findImport,
  importChange,
  importEntity,
  importRows,
  statusResult,
} from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { aliveForActor } from '../preconditions.ts';

const BEFORE_APPROVAL: readonly StoredStatus[] = [
  'reserved',
  'uploaded',
  'validating',
  'ready',
  'needs_correction',
  'failed',
];

/**
 * Ends an import and removes its private bytes; again is answered alike. An agent can do so before the approval, afterwards only the owner; what
 * the customer's backend has accepted stays accepted.
 */
export const cancelImport: CommandHandler<ImportsFold, 'cancel-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  admitsUnreadable: ['import', 'schema'],
  fold(scope) {
    const { root, actor, input } = scope;
    const { importId } = input;
    if (scope.salvaged('import', importId) !== null) return cancelUnreadable(scope);
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refused(found.refused);
    const { document, effective } = found;
    // Already cancelled: a client that lost the first answer gets it now.
    if (effective.status === 'cancelled') return { outcome: statusResult(scope, found, document) };
    const reason =
      endedRefusal(effective) ?? (actor.kind === 'user' ? null : statusRefusal(effective, BEFORE_APPROVAL));
    if (reason !== null) return refused(reason);
    const { document: archived, ...ended } = archiveImport(scope, importId, {
      ...document,
      status: 'cancelled',
    });
    // What a newer schema revision has made void stays so.
    const next = effective.validation === null ? { ...archived, validation: null } : archived;
    return {
      ...ended,
      outcome: statusResult(scope, found, next),
      root: freeSlot(root, importId),
      put: [importChange(importId, next)],
      remember: { entity: importEntity(importId) },
    };
  },
};

/**
 * Erases an import and everything made from it, in any status of the import and its workspace. The remaining row
 * records that it existed. Quotas keep their use. An import that cannot be read is erased by its id.
 */
export const eraseImport: CommandHandler<ImportsFold, 'erase-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  admitsUnreadable: ['import', 'schema', 'schema-sessions'],
  fold(scope) {
    const { row, salvaged, root, actor, input } = scope;
    const { importId } = input;
    if (actor.kind !== 'user') return refused(NOT_THE_OWNER);
    if (root.lifecycle === null) return refused(NOT_YET_KNOWN);
    const document = row('import', importId);
    if (document !== null) return erased(scope, root.lifecycle, document, document);
    const known = salvaged('import', importId);
    if (known === null) return refused(absence(scope));
    return erased(scope, root.lifecycle, known, { ...UNKNOWN_IMPORT, ...known });
  },
};

/**
 * Erases an import.
 *
 * @param known the members that could be read
 * @param document the import as the answer shows it
 */
function erased(
  scope: Scope<ImportsFold, 'erase-import' | 'cancel-import'>,
  lifecycle: Lifecycle,
  known: Partial<ImportDocument>,
  document: ImportDocument,
): FoldResult<ImportsFold, 'erase-import' | 'cancel-import'> {
  const { root, input, context, limits } = scope;
  const { importId } = input;
  const { schemaId, schemaRevision: currentRevision, session } = document;
  const effective = effectiveImport(document, { lifecycle, currentRevision, now: context.now });
  const last = importStatusAnswer(importId, document, effective, limits);
  const { remove, effects } = purgeImport(scope, importId, known);
  return {
    outcome: { kind: 'done', result: { ...last, status: 'erased' } },
    root: freeSlot(root, importId),
    put: [{ kind: 'erased-import', id: importId, document: { schemaId, session, erasedAt: context.now } }],
    remove: [{ kind: 'import', id: importId }, ...remove],
    effects,
    forget: [importEntity(importId)],
    remember: false,
  };
}

/** Shown for members of an import that cannot be read. The schema is none that exists, so no backend sees the import. */
const UNKNOWN_IMPORT: ImportDocument = {
  schemaId: 'sch_aaaaaaaaaaaaaaaaaaaaaaaa',
  schemaRevision: 1,
  createdBy: { kind: 'agent', id: 'unknown' },
  session: null,
  createdAt: 0,
  timelineId: '',
  byteLength: 0,
  sha256: '0'.repeat(64),
  status: 'cancelled',
  retainedUntil: 0,
  uploadToken: { number: 1, digest: '0'.repeat(64), endsAt: 0 },
  ...WITHOUT_FILE,
};

/**
 * Ends an import that cannot be read. Nothing of it can be kept, so that it is erased. An agent may not cancel an approved
 * import, which this one may be.
 */
function cancelUnreadable(
  scope: Scope<ImportsFold, 'cancel-import'>,
): FoldResult<ImportsFold, 'cancel-import'> {
  const { salvaged, actor, input } = scope;
  const alive = aliveForActor(scope, 'allowed');
  if ('refused' in alive) return refused(alive.refused);
  if (actor.kind !== 'user') return refused(UNREADABLE);
  const known = salvaged('import', input.importId) ?? {};
  return erased(scope, alive.lifecycle, known, { ...UNKNOWN_IMPORT, ...known });
}

const UNREADABLE = refusal('state_conflict', {
  at: 'path.importId',
  seen: 'an import that the service cannot read',
  expected: 'erasure by an owner or admin of the organization',
});

const NOT_THE_OWNER = refusal('forbidden', {
  at: 'caller',
  seen: 'no person',
  expected: 'an owner or admin of the organization',
});

/**
 * Cuts down an import that has ended by the time of the record. The sweeper only supposes so: a claim may have lifted the
 * bound, and then nothing happens.
 */
export const tidyImport: CommandHandler<ImportsFold, 'tidy-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { row, root, input } = scope;
    const { importId } = input;
    const document = row('import', importId);
    const schema = document === null ? null : row('schema', document.schemaId);
    if (document === null || schema === null || root.lifecycle === null) return DONE_UNREMEMBERED;
    const ended = endedRefusal(effectiveNow(scope, document, schema, root.lifecycle)) !== null;
    if (!ended || document.tidiedAt !== null) return DONE_UNREMEMBERED;
    const { document: next, ...rest } = archiveImport(scope, importId, document);
    return {
      ...DONE_UNREMEMBERED,
      ...rest,
      root: freeSlot(root, importId),
      put: [importChange(importId, next)],
    };
  },
};
