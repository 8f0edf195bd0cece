import { digestsEqual } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import type { Approval, BatchDocument, ImportDocument } from '../../../schemas/imports/documents.ts';
import { batchRowId, partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import {
  type FoundImport,
  findImport,
  type ImportsResult,
  type InputOf,
  importChange,
  importRows,
  refusedWith,
  type Scope,
  type Step,
} from '../step.ts';

type Acknowledge = Scope<InputOf<'acknowledge-batch'>>;

/**
 * Records that the customer's backend has applied a whole batch: in every status of the import, because it cannot be
 * undone there (contract D). Again is answered with what is stored; anything but the whole batch conflicts.
 */
export const acknowledgeBatch: Step<'acknowledge-batch'> = {
  reads({ importId, batchId }, view) {
    const rows: RowKey[] = [
      ...importRows(importId, view),
      { kind: 'batch', id: batchRowId(importId, batchId) },
    ];
    const batch = view.peek('batch', batchRowId(importId, batchId));
    for (const attempt of batch?.attempts ?? [])
      rows.push(partitionRow(importId, attempt, batch?.index ?? 0));
    return rows;
  },
  fold(scope) {
    const { view, input, context } = scope;
    const { importId, batchId } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refusedWith(found.refused);
    const batch = view.row('batch', batchRowId(importId, batchId));
    const approval = batch === null ? null : approvalOf(found.document, batch);
    if (batch === null || approval === null) return refusedWith(NOT_APPROVED);
    const row = partitionRow(importId, approval.attempt, batch.index);
    const partition = view.row('partition', row.id);
    const expected = partition?.outcome?.ackDigest ?? null;
    if (partition === null || expected === null || !digestsEqual(expected, input.ackDigest)) {
      return refusedWith(NOT_WHOLE);
    }
    if (partition.acknowledgedAt !== null) {
      return { outcome: acknowledged(scope, approval, partition.acknowledgedAt) };
    }
    const counted = { ...approval, acknowledged: approval.acknowledged + 1 };
    return {
      outcome: acknowledged(scope, counted, context.now),
      put: [
        { ...row, document: { ...partition, acknowledgedAt: context.now } },
        importChange(importId, withAcknowledgment(found, counted)),
      ],
    };
  },
};

const NOT_APPROVED = refusal(
  'acknowledgment_conflict',
  'ack.batchId is not a batch of an approved validation of this import.',
);
const NOT_WHOLE = refusal(
  'acknowledgment_conflict',
  'ack.acceptedRowIds are not exactly the row ids of this batch; a batch is accepted as a whole.',
);

function partitionRow(importId: string, attempt: number, index: number) {
  return { kind: 'partition' as const, id: partitionRowId(importId, attempt, index) };
}

/** The latest approval that the batch was part of. */
function approvalOf({ approvals }: ImportDocument, { attempts }: BatchDocument): Approval | null {
  return approvals.findLast(({ attempt }) => attempts.includes(attempt)) ?? null;
}

/** The import with this approval counted; once every batch of an approval that holds is acknowledged, it is delivered. */
function withAcknowledgment({ document, effective }: FoundImport, counted: Approval): ImportDocument {
  const approvals = document.approvals.map((approval) =>
    approval.attempt === counted.attempt ? counted : approval,
  );
  const complete = counted.acknowledged === counted.batchCount;
  const holds = document.status === 'approved' && effective.approval?.attempt === counted.attempt;
  return { ...document, approvals, status: complete && holds ? 'delivered' : document.status };
}

function acknowledged(
  { input }: Acknowledge,
  { batchCount, acknowledged: count }: Approval,
  acknowledgedAt: number,
): ImportsResult['outcome'] {
  const { importId, batchId } = input;
  return {
    kind: 'done',
    result: { importId, batchId, acknowledgedAt, remainingBatches: batchCount - count },
  };
}
