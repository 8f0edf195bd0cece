import type { PartitionDocument } from '../../schemas/imports/documents.ts';
import { partitionRowId } from '../../schemas/imports/row-ids.ts';

/** The row of one partition of a validation. */
export function partitionRow(importId: string, attempt: number, index: number) {
  return { kind: 'partition' as const, id: partitionRowId(importId, attempt, index) };
}

/** A batch that the customer's backend has acknowledged. */
export interface Acceptance {
  readonly acknowledgedAt: number;
  /** Absent in what a program stored that counted it for each repeat. */
  readonly remainingBatches?: number;
}

/** The acceptance of a batch, which any partition that gave it may hold; null before the acknowledgment. */
export function acceptanceIn(partitions: readonly PartitionDocument[]): Acceptance | null {
  for (const { acknowledgedAt, remainingBatches } of partitions) {
    if (acknowledgedAt === null) continue;
    return { acknowledgedAt, ...(remainingBatches === undefined ? {} : { remainingBatches }) };
  }
  return null;
}
