import type { StoredStatus } from '../../../schemas/imports/documents.ts';
import { endedRefusal, statusRefusal } from '../../../schemas/imports/status.ts';
import { freeSlot } from '../attempt.ts';
import { cutDown } from '../ending.ts';
import {
  findImport,
  importChange,
  importEntity,
  importRows,
  refusedWith,
  type Step,
  statusResult,
} from '../step.ts';

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
 * the customer's backend has accepted stays accepted (specification 3).
 */
export const cancelImport: Step<'cancel-import'> = {
  reads: ({ importId }, view) => importRows(importId, view),
  fold(scope) {
    const { root, actor, input } = scope;
    const { importId } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refusedWith(found.refused);
    const { document, effective } = found;
    // What was asked for is so: whoever lost the first answer gets it now.
    if (effective.status === 'cancelled') return { outcome: statusResult(scope, found, document) };
    const refused =
      endedRefusal(effective) ?? (actor.kind === 'user' ? null : statusRefusal(effective, BEFORE_APPROVAL));
    if (refused !== null) return refusedWith(refused);
    const { document: cut, ...ended } = cutDown(scope, importId, { ...document, status: 'cancelled' });
    // What a newer schema revision has made void stays so.
    const next = effective.validation === null ? { ...cut, validation: null } : cut;
    return {
      ...ended,
      outcome: statusResult(scope, found, next),
      root: freeSlot(root, importId),
      put: [importChange(importId, next)],
      remember: { entity: importEntity(importId) },
    };
  },
};
