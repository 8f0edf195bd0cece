import { refusal } from '../../../schemas/base/errors.ts';
import type { Approval, ImportDocument } from '../../../schemas/imports/documents.ts';
import { orderedRowId } from '../../../schemas/imports/row-ids.ts';
import { batchCount, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { CommandHandler } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import { changeCounts } from '../change-counts.ts';
import { findImport, importActor, importChange, importRows, statusResult } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { owningSession } from '../sessions.ts';

/**
 * Approves exactly the validation that the digest names: its batches can be pulled. Twice is once. A browser session
 * approves only where the owner delegated that to its capability. Batches that were acknowledged under an earlier approval
 * stay so; an import of nothing else is delivered at once.
 */
export const approveImport: CommandHandler<ImportsFold, 'approve-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { actor, input, context } = scope;
    const { importId } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refused(found.refused);
    const { document, effective } = found;
    if (actor.kind === 'session' && owningSession(scope, document)?.delegateApproval !== true) {
      return refused(NOT_DELEGATED);
    }
    const reason = workRefusal(effective) ?? statusRefusal(effective, ['ready', 'approved', 'delivered']);
    if (reason !== null) return refused(reason);
    const { validation, approval } = effective;
    if (validation === null || validation.digest !== input.validationDigest) return refused(STALE);
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
      audit: changeCounts(document),
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
