import { refusal } from '../../../schemas/base/errors.ts';
import type { StoredStatus } from '../../../schemas/imports/documents.ts';
import { endedRefusal, statusRefusal } from '../../../schemas/imports/status.ts';
import { NOT_YET_KNOWN } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold/fold.ts';
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
  fold(scope) {
    const { root, actor, input } = scope;
    const { importId } = input;
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
 * records that it existed. Quotas keep their use.
 */
export const eraseImport: CommandHandler<ImportsFold, 'erase-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { row, root, actor, input, context } = scope;
    const { importId } = input;
    if (actor.kind !== 'user') return refused(NOT_THE_OWNER);
    if (root.lifecycle === null) return refused(NOT_YET_KNOWN);
    const document = row('import', importId);
    const schema = document === null ? null : row('schema', document.schemaId);
    if (document === null || schema === null) return refused(absence(scope));
    const { lifecycle } = root;
    const effective = effectiveNow(scope, document, schema, lifecycle);
    const last = statusResult(scope, { importId, document, schema, effective, lifecycle }, document);
    const { schemaId, session } = document;
    const { remove, effects } = purgeImport(scope, importId, document);
    return {
      outcome: { kind: 'done', result: { ...last.result, status: 'erased' } },
      root: freeSlot(root, importId),
      put: [{ kind: 'erased-import', id: importId, document: { schemaId, session, erasedAt: context.now } }],
      remove: [{ kind: 'import', id: importId }, ...remove],
      effects,
      forget: [importEntity(importId)],
      remember: false,
    };
  },
};

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
