import type {
  BatchDocument,
  ImportDocument,
  ImportsRows,
  PartitionDocument,
  PartitionOutcome,
  Validation,
} from '../../../schemas/imports/documents.ts';
import { type ErrorCount, ROW_ERROR_CODES } from '../../../schemas/imports/file-faults.ts';
import { validationDigest } from '../../../schemas/imports/identity.ts';
import { batchRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, RowChange, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/fold/results.ts';
import { freeSlot, type RunningAttempt, renewSlot, runningAttempt } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { type Acceptance, acceptanceIn, partitionRow } from '../partitions.ts';

type Validated = Scope<ImportsFold, 'partition-validated'>;
type Input = Validated['input'];

/**
 * Counts the result of one partition, once, in whatever order results arrive. The last one decides: `ready` when every row
 * is valid, else `needs_correction`.
 */
export const partitionValidated: CommandHandler<ImportsFold, 'partition-validated'> = {
  reads({ input }, view) {
    const { importId, outcome } = input;
    const rows: RowKey[] = [{ kind: 'import', id: importId }, ownRow(input)];
    const document = view.peek('import', importId);
    if (outcome.batchId !== null) {
      const id = batchRowId(importId, outcome.batchId);
      rows.push({ kind: 'batch', id }, ...approvedRows(importId, document, view.peek('batch', id)));
    }
    const validation = document?.validation;
    if (validation != null && isLast(validation)) rows.push(...allPartitionRows(input, validation));
    return rows;
  },
  fold(scope) {
    const { row, input } = scope;
    const running = runningAttempt(scope);
    const partition = row('partition', ownRow(input).id);
    if (running === null || partition === null || partition.outcome !== null) return DONE_UNREMEMBERED;
    const { outcome } = input;
    if (outcome.valid + outcome.invalid !== partition.range.rows) {
      throw new Error('counting a partition whose rows do not add up');
    }
    const acceptance = earlierAcceptance(scope, running.document);
    const counted = countIn(running.validation, outcome, acceptance);
    const put: RowChange<ImportsRows>[] = [
      { ...ownRow(input), document: { ...partition, outcome, ...acceptance } },
      ...batchChange(scope),
    ];
    if (!isLast(running.validation)) {
      const next = { ...running.document, validation: counted };
      return {
        ...DONE_UNREMEMBERED,
        root: renewSlot(scope),
        put: [...put, importChange(input.importId, next)],
      };
    }
    const outcomes = outcomesInOrder(scope, running.validation);
    const ended = { ...counted, endedAt: scope.context.now };
    const next = finish(input.importId, { ...running, validation: ended }, outcomes);
    const root = freeSlot(scope.root, input.importId);
    return { ...DONE_UNREMEMBERED, root, put: [...put, importChange(input.importId, next)] };
  },
};

function ownRow({ importId, attempt, index }: Input) {
  return partitionRow(importId, attempt, index);
}

function allPartitionRows({ importId, attempt }: Input, { split }: Validation): RowKey[] {
  return Array.from({ length: split?.partitions ?? 0 }, (_, index) => partitionRow(importId, attempt, index));
}

/** The partitions of approved validations that gave the same batch: only those can have been acknowledged. */
function approvedRows(
  importId: string,
  document: ImportDocument | null | undefined,
  batch: BatchDocument | null | undefined,
) {
  const approved = (document?.approvals ?? []).filter(({ attempt }) => batch?.attempts.includes(attempt));
  return approved.map(({ attempt }) => partitionRow(importId, attempt, batch?.index ?? 0));
}

/** The acknowledgment that the same batch has met under an earlier approval, or null. */
function earlierAcceptance({ row, input }: Validated, document: ImportDocument): Acceptance | null {
  const { importId, outcome } = input;
  if (outcome.batchId === null) return null;
  const rows = approvedRows(importId, document, row('batch', batchRowId(importId, outcome.batchId)));
  return acceptanceIn(rows.flatMap(({ id }) => row('partition', id) ?? []));
}

/** True if exactly one result is missing. */
function isLast({ split, done }: Validation): boolean {
  return split !== null && done === split.partitions - 1;
}

function countIn(
  validation: Validation,
  { valid, invalid }: PartitionOutcome,
  acceptance: Acceptance | null,
): Validation {
  return {
    ...validation,
    done: validation.done + 1,
    valid: validation.valid + valid,
    invalid: validation.invalid + invalid,
    ...(acceptance === null ? {} : { acknowledged: (validation.acknowledged ?? 0) + 1 }),
  };
}

/** Lets an acknowledgment find the batch by its id. */
function batchChange({ row, input }: Validated): RowChange<ImportsRows>[] {
  const { importId, attempt, index, outcome } = input;
  if (outcome.batchId === null) return [];
  const id = batchRowId(importId, outcome.batchId);
  const earlier = row('batch', id)?.attempts ?? [];
  const document: BatchDocument = { index, attempts: [...earlier, attempt] };
  return [{ kind: 'batch', id, document }];
}

/** The outcomes of all partitions, this last one included. */
function outcomesInOrder({ row, input }: Validated, validation: Validation): PartitionOutcome[] {
  return allPartitionRows(input, validation).map(({ id }, index) => {
    const stored: PartitionDocument | null = row('partition', id);
    const outcome = index === input.index ? input.outcome : (stored?.outcome ?? null);
    if (outcome === null) throw new Error('finishing a validation with a partition missing');
    return outcome;
  });
}

function finish(
  importId: string,
  { document, validation }: RunningAttempt,
  outcomes: readonly PartitionOutcome[],
): ImportDocument {
  if (validation.invalid > 0) {
    const errorCounts = mergeCounts(outcomes.flatMap((outcome) => outcome.errorCounts));
    return { ...document, status: 'needs_correction', validation: { ...validation, errorCounts } };
  }
  const batchIds = outcomes.map(({ batchId }) => {
    if (batchId === null) throw new Error('finishing a valid import with a batch missing');
    return batchId;
  });
  const digest = validationDigest({
    importId,
    sourceSha256: document.sha256,
    schemaId: document.schemaId,
    schemaRevision: document.schemaRevision,
    mappingRevision: document.mappingRevision,
    batchIds,
  });
  return { ...document, status: 'ready', validation: { ...validation, digest } };
}

/** Adds up by column and code: whole records first, then columns by name, codes in the order of their registry. */
function mergeCounts(counts: readonly ErrorCount[]): ErrorCount[] {
  const merged = new Map<string, ErrorCount>();
  for (const { column, code, count } of counts) {
    const key = JSON.stringify([column, code]);
    merged.set(key, { column, code, count: count + (merged.get(key)?.count ?? 0) });
  }
  return [...merged.values()].sort(compareCounts);
}

function compareCounts(left: ErrorCount, right: ErrorCount): number {
  const [one, other] = [left.column ?? '', right.column ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return ROW_ERROR_CODES.indexOf(left.code) - ROW_ERROR_CODES.indexOf(right.code);
}
