import type { InputOf } from '../../../schemas/base/command.ts';
import type { importsCommands } from '../../../schemas/imports/commands.ts';
import type { ImportsRoot, ImportsRows } from '../../../schemas/imports/documents.ts';
import { batchRowId, partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, PartialView, RowChange, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/fold/results.ts';
import type { ImportsFold } from '../imports-fold.ts';

type Input = InputOf<typeof importsCommands, 'forget-attempt'>;

/** Removes the partitions of a validation that cannot be read any more, and the batches of that validation alone. */
export const forgetAttempt: CommandHandler<ImportsFold, 'forget-attempt'> = {
  reads: ({ input }, view) => [
    { kind: 'import', id: input.importId },
    ...partitionRows(input),
    ...batchRows(input, view),
  ],
  fold(scope) {
    const { row, input } = scope;
    if (isStillWanted(scope)) return DONE_UNREMEMBERED;
    const put: RowChange<ImportsRows>[] = [];
    const remove: (RowKey & { readonly kind: 'partition' | 'batch' })[] = [];
    for (const partitionKey of partitionRows(input)) {
      const partition = row('partition', partitionKey.id);
      if (partition === null) continue;
      remove.push(partitionKey);
      const { outcome } = partition;
      if (outcome === null || outcome.batchId === null) continue;
      const id = batchRowId(input.importId, outcome.batchId);
      const batch = row('batch', id);
      if (batch === null) continue;
      const attempts = batch.attempts.filter((attempt) => attempt !== input.attempt);
      if (attempts.length === 0) remove.push({ kind: 'batch', id });
      else put.push({ kind: 'batch', id, document: { ...batch, attempts } });
    }
    return { ...DONE_UNREMEMBERED, put, remove };
  },
};

/** True if the import is alive, or has ended with this validation approved: then it can still be acknowledged. */
function isStillWanted({ row, input }: Scope<ImportsFold, 'forget-attempt'>): boolean {
  const document = row('import', input.importId);
  if (document === null) return false;
  return document.tidiedAt === null || document.approvals.some(({ attempt }) => attempt === input.attempt);
}

function partitionRows({ importId, attempt, partitions }: Input) {
  return Array.from({ length: partitions }, (_, index) => ({
    kind: 'partition' as const,
    id: partitionRowId(importId, attempt, index),
  }));
}

function batchRows(input: Input, view: PartialView<ImportsRoot, ImportsRows>): RowKey[] {
  return partitionRows(input).flatMap(({ id }) => {
    const batchId = view.peek('partition', id)?.outcome?.batchId;
    return batchId == null ? [] : [{ kind: 'batch', id: batchRowId(input.importId, batchId) }];
  });
}
