import type { ImportDocument } from '../../../schemas/imports/documents.ts';
import type { FileFault } from '../../../schemas/imports/file-faults.ts';
import { partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { PartitionItem, PartitionRange } from '../../../schemas/imports/work-items.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/fold/results.ts';
import { failImport, type RunningAttempt, renewSlot, runningAttempt, workTopic } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

type Split = Scope<ImportsFold, 'split-finished'>;

/**
 * Reserves the bytes that the artifacts may take, before any is written, and sends the partitions out. The reservation
 * is never given back.
 */
export const splitFinished: CommandHandler<ImportsFold, 'split-finished'> = {
  reads: ({ input: { importId } }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    if (running === null || running.validation.split !== null) return DONE_UNREMEMBERED;
    const { input, limits } = scope;
    const artifactBytes = running.document.artifactBytes + input.artifactBytesBound;
    const fits = input.partitions.length <= limits.imports.partitions;
    if (!fits || artifactBytes > limits.imports.artifactBytes) {
      return failImport(scope, running.document, ARTIFACT_LIMIT);
    }
    return sendOut(scope, running, artifactBytes);
  },
};

/** The file as a whole cannot be imported. */
export const splitFailed: CommandHandler<ImportsFold, 'split-failed'> = {
  reads: ({ input: { importId } }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    return running === null ? DONE_UNREMEMBERED : failImport(scope, running.document, scope.input.fault);
  },
};

const ARTIFACT_LIMIT: FileFault = { code: 'artifact_limit', line: null, byteOffset: null };

function sendOut(
  scope: Split,
  { document, validation }: RunningAttempt,
  artifactBytes: number,
): FoldResult<ImportsFold, 'split-finished'> {
  const { importId, attempt, partitions, headerColumns, blank } = scope.input;
  const split = { headerColumns, blank, partitions: partitions.length };
  const next: ImportDocument = {
    ...document,
    artifactBytes,
    artifactCharge: scope.input.artifactBytesBound,
    validation: { ...validation, split },
  };
  return {
    ...DONE_UNREMEMBERED,
    root: renewSlot(scope),
    put: [
      importChange(importId, next),
      ...partitions.map((range) => ({
        kind: 'partition' as const,
        id: partitionRowId(importId, attempt, range.index),
        document: { range, outcome: null, acknowledgedAt: null },
      })),
    ],
    effects: partitions.map((range) => partitionItem(scope, document, range)),
  };
}

function partitionItem(
  { root, input, context }: Split,
  { source }: ImportDocument,
  range: PartitionRange,
): Effect {
  if (source === null) throw new Error('validating an import without a source');
  const { importId, attempt } = input;
  const item: PartitionItem = {
    installationId: context.aggregate,
    importId,
    attempt,
    source: source.name,
    range,
  };
  return {
    kind: 'command',
    topic: workTopic(root, 'partitions'),
    key: `${importId}/${attempt}/${range.index}`,
    type: 'validate-partition',
    input: item,
  };
}
