import { refusal } from '../../../schemas/base/errors.ts';
import type { Approval, ImportDocument } from '../../../schemas/imports/documents.ts';
import { orderedRowId } from '../../../schemas/imports/row-ids.ts';
import { batchCount, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import { owningSession } from '../sessions.ts';
import {
  findImport,
  importActor,
  importChange,
  importRows,
  refusedWith,
  type Step,
  statusResult,
} from '../step.ts';

/**
 * Approves exactly the validation that the digest names: its batches can be pulled. Twice is once. A browser session
 * approves only where the owner delegated that to its capability. Batches that were acknowledged under an earlier approval
 * stay so; an import of nothing else is delivered at once.
 */
export const approveImport: Step<'approve-import'> = {
  reads: ({ importId }, view) => importRows(importId, view),
  fold(scope) {
    const { actor, input, context } = scope;
    const { importId } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refusedWith(found.refused);
    const { document, effective } = found;
    if (actor.kind === 'session' && owningSession(scope, document)?.delegateApproval !== true) {
      return refusedWith(NOT_DELEGATED);
    }
    const refused = workRefusal(effective) ?? statusRefusal(effective, ['ready', 'approved', 'delivered']);
    if (refused !== null) return refusedWith(refused);
    const { validation, approval } = effective;
    if (validation === null || validation.digest !== input.validationDigest) return refusedWith(STALE);
    if (approval !== null) return { outcome: statusResult(scope, found, document) };
    const given: Approval = {
      attempt: validation.attempt,
      digest: validation.digest,
      approvedAt: context.now,
      approvedBy: importActor(scope),
      batchCount: batchCount(validation),
      acknowledged: validation.acknowledged ?? 0,
      deliveryId: orderedRowId(context.sequence, document.schemaId),
    };
    const next: ImportDocument = {
      ...document,
      status: given.acknowledged === given.batchCount ? 'delivered' : 'approved',
      approvals: [...document.approvals, given],
    };
    return {
      outcome: statusResult(scope, found, next),
      put: [importChange(importId, next), { kind: 'delivery', id: given.deliveryId, document: { importId } }],
    };
  },
};

const NOT_DELEGATED = refusal('forbidden', {
  at: 'session.approvalDelegated',
  seen: 'a session without delegated approval',
  expected: 'approval by the owner or a session with delegated approval',
});
const STALE = refusal('conflict', {
  at: 'body.validationDigest',
  seen: 'another digest',
  expected: "the one of the import's latest validation",
});
