import type { StoredStatus } from '../../../schemas/imports/documents.ts';
import { endedRefusal, statusRefusal } from '../../../schemas/imports/status.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { freeSlot } from '../attempt.ts';
import { archiveImport } from '../ending.ts';
import { findImport, importChange, importEntity, importRows, statusResult } from '../found-import.ts';
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
