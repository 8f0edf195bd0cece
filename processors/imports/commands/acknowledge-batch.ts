import { digestsEqual } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import type {
  Approval,
  BatchDocument,
  ImportDocument,
  PartitionDocument,
} from '../../../schemas/imports/documents.ts';
import { batchRowId } from '../../../schemas/imports/row-ids.ts';
import { acceptedBatches } from '../../../schemas/imports/status.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import { type FoundImport, findImport, importChange, importRows } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { acceptanceIn, partitionRow } from '../partitions.ts';

type Acknowledge = Scope<ImportsFold, 'acknowledge-batch'>;

/**
 * Records that the customer's backend has applied a whole batch. The acceptance belongs to the batch id: it holds for
 * every validation that gave the batch, so an approval of the same batches after another mapping begins with it. It is
 * recorded in every status of the import, because the customer cannot undo it. A repeat gets the stored answer; anything
 * but the whole batch conflicts.
 */
export const acknowledgeBatch: CommandHandler<ImportsFold, 'acknowledge-batch'> = {
  reads({ input: { importId, batchId } }, view) {
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
    const { row, input, context } = scope;
    const { importId, batchId } = input;
    const found = findImport(scope, 'allowed');
    if ('refused' in found) return refused(found.refused);
    const batch = row('batch', batchRowId(importId, batchId));
    const approval = batch === null ? null : approvalOf(found.document, batch);
    if (batch === null || approval === null) return refused(NOT_APPROVED);
    const partitions = partitionsOf(scope, batch);
    const approved = partitions.find(({ attempt }) => attempt === approval.attempt);
    const expected = approved?.document.outcome?.ackDigest ?? null;
    if (expected === null || !digestsEqual(expected, input.ackDigest)) return refused(NOT_WHOLE);
    const open = partitions.filter(({ document }) => document.acknowledgedAt === null);
    const attempts = open.map(({ attempt }) => attempt);
    const stored = acceptanceIn(partitions.map(({ document }) => document));
    const document = withAcknowledgment(found, attempts, stored === null);
    const counted = approvalOf(document, batch) ?? approval;
    const acceptance = {
      acknowledgedAt: stored?.acknowledgedAt ?? context.now,
      remainingBatches: stored?.remainingBatches ?? counted.batchCount - counted.acknowledged,
    };
    const outcome: FoldResult<ImportsFold, 'acknowledge-batch'>['outcome'] = {
      kind: 'done',
      result: { importId, batchId, ...acceptance },
    };
    if (open.length === 0) return { outcome };
    return {
      outcome,
      put: [
        ...open.map(({ row, document: partition }) => ({
          ...row,
          document: { ...partition, ...acceptance },
        })),
        importChange(importId, document),
      ],
    };
  },
};

const NOT_APPROVED = refusal('acknowledgment_conflict', {
  at: 'body.ack.batchId',
  seen: 'the id of no batch that was approved',
  expected: 'the id of a batch of an approved validation of this import',
});
const NOT_WHOLE = refusal('acknowledgment_conflict', {
  at: 'body.ack.acceptedRowIds',
  seen: 'not exactly the row ids of this batch',
  expected: 'all of them; a batch is accepted as a whole',
});

/** The partition of one validation that gave the batch. */
interface BatchPartition {
  readonly attempt: number;
  readonly row: ReturnType<typeof partitionRow>;
  readonly document: PartitionDocument;
}

function partitionsOf(scope: Acknowledge, { index, attempts }: BatchDocument): BatchPartition[] {
  return attempts.flatMap((attempt) => {
    const row = partitionRow(scope.input.importId, attempt, index);
    const document = scope.row('partition', row.id);
    return document === null ? [] : [{ attempt, row, document }];
  });
}

/** The latest approval that the batch was part of. */
function approvalOf(
  { approvals }: Pick<ImportDocument, 'approvals'>,
  { attempts }: BatchDocument,
): Approval | null {
  return approvals.findLast(({ attempt }) => attempts.includes(attempt)) ?? null;
}

/**
 * The import with the batch counted for these attempts; once every batch of the approval that holds is acknowledged, it is
 * delivered.
 */
function withAcknowledgment(
  { document, effective }: FoundImport,
  attempts: readonly number[],
  isFirst: boolean,
): ImportDocument {
  const approvals = document.approvals.map((approval) =>
    attempts.includes(approval.attempt) ? { ...approval, acknowledged: approval.acknowledged + 1 } : approval,
  );
  const { validation } = document;
  const counts = validation !== null && attempts.includes(validation.attempt);
  const current = approvals.find(({ attempt }) => attempt === effective.approval?.attempt);
  const complete = current !== undefined && current.acknowledged === current.batchCount;
  return {
    ...document,
    approvals,
    validation: counts ? { ...validation, acknowledged: (validation.acknowledged ?? 0) + 1 } : validation,
    acceptedBatches: acceptedBatches(document) + (isFirst ? 1 : 0),
    status: document.status === 'approved' && complete ? 'delivered' : document.status,
  };
}
