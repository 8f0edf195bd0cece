import { batchRowId, partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import {
  DROPPED,
  type ImportsChange,
  type ImportsPartialView,
  type InputOf,
  type Scope,
  type Step,
} from '../step.ts';

type Input = InputOf<'forget-attempt'>;

/** Removes the partitions of a validation that nobody can ask for any more, and the batches that only it gave. */
export const forgetAttempt: Step<'forget-attempt'> = {
  reads: (input, view) => [
    { kind: 'import', id: input.importId },
    ...partitionRows(input),
    ...batchRows(input, view),
  ],
  fold(scope) {
    const { view, input } = scope;
    if (isStillWanted(scope)) return DROPPED;
    const put: ImportsChange[] = [];
    const remove: (RowKey & { readonly kind: 'partition' | 'batch' })[] = [];
    for (const row of partitionRows(input)) {
      const partition = view.row('partition', row.id);
      if (partition === null) continue;
      remove.push(row);
      const { outcome } = partition;
      if (outcome === null || outcome.batchId === null) continue;
      const id = batchRowId(input.importId, outcome.batchId);
      const batch = view.row('batch', id);
      if (batch === null) continue;
      const attempts = batch.attempts.filter((attempt) => attempt !== input.attempt);
      if (attempts.length === 0) remove.push({ kind: 'batch', id });
      else put.push({ kind: 'batch', id, document: { ...batch, attempts } });
    }
    return { ...DROPPED, put, remove };
  },
};

/** Whether the import is alive, or has ended with this validation approved: then it can still be acknowledged. */
function isStillWanted({ view, input }: Scope<Input>): boolean {
  const document = view.row('import', input.importId);
  if (document === null) return false;
  return document.tidiedAt === null || document.approvals.some(({ attempt }) => attempt === input.attempt);
}

function partitionRows({ importId, attempt, partitions }: Input) {
  return Array.from({ length: partitions }, (_, index) => ({
    kind: 'partition' as const,
    id: partitionRowId(importId, attempt, index),
  }));
}

function batchRows(input: Input, view: ImportsPartialView): RowKey[] {
  return partitionRows(input).flatMap(({ id }) => {
    const batchId = view.peek('partition', id)?.outcome?.batchId;
    return batchId == null ? [] : [{ kind: 'batch', id: batchRowId(input.importId, batchId) }];
  });
}
