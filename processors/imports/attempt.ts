import { attemptGroup, fileNameBlob, importGroup } from '../../schemas/imports/blobs.ts';
import type { ImportDocument, ImportsRoot, Validation } from '../../schemas/imports/documents.ts';
import type { FileFault } from '../../schemas/imports/file-faults.ts';
import type { Effect, FoldContext, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import { importChange } from './found-import.ts';
import type { ImportsFold } from './imports-fold.ts';

/** The validation that a worker's result is about, as far as it has come. */
export interface RunningAttempt {
  readonly document: ImportDocument;
  readonly validation: Validation;
}

/** A command that reports on an attempt. */
type ReportType = 'split-finished' | 'split-failed' | 'partition-validated' | 'work-failed';
type Report = Scope<ImportsFold, ReportType>;

/**
 * The attempt that a result belongs to, if it still runs. Null: another attempt has begun, or this one has ended, and the
 * result is dropped.
 */
export function runningAttempt({ row, input }: Report): RunningAttempt | null {
  const document = row('import', input.importId);
  if (document?.status !== 'validating' || document.validation?.attempt !== input.attempt) return null;
  return { document, validation: document.validation };
}

/** The topic with the items of a stage. Those of previews have separate topics. */
export function workTopic<Stage extends 'splits' | 'partitions'>({ lifecycle }: ImportsRoot, stage: Stage) {
  return lifecycle?.plan === 'preview' ? (`import-preview-${stage}` as const) : (`import-${stage}` as const);
}

/** The import once its validation has ended without a result: it can be validated again. */
export function endAttempt(document: ImportDocument, failure: FileFault | null): ImportDocument {
  return { ...document, status: 'uploaded', validation: null, failure };
}

/** The failure of a validation by a fault of the service. */
export const INTERNAL_FAILURE: FileFault = { code: 'internal', line: null, byteOffset: null };

/** The import whose file cannot be used: its bytes are not needed any more. */
export function failImport(
  { root, input, context }: Report,
  document: ImportDocument,
  failure: FileFault,
): FoldResult<ImportsFold, ReportType> {
  const { importId, attempt } = input;
  return {
    ...DONE_UNREMEMBERED,
    root: freeSlot(root, importId),
    put: [importChange(importId, { ...document, status: 'failed', validation: null, failure })],
    effects: [removeImportBytes(context, importId), removeAttemptBytes(context, importId, attempt)],
  };
}

/** The root once this import no longer holds the validation slot. */
export function freeSlot(root: ImportsRoot, importId: string): ImportsRoot {
  return root.validationSlot?.importId === importId ? { ...root, validationSlot: null } : root;
}

/** The root once an attempt has shown that it makes progress. */
export function renewSlot({ root, input, context, limits }: Report): ImportsRoot {
  const { importId, attempt } = input;
  const leaseUntil = context.now + limits.imports.validationLeaseMs;
  return { ...root, validationSlot: { importId, attempt, leaseUntil } };
}

/** Removes an import's source and mappings. */
export function removeImportBytes(context: FoldContext, importId: string): Effect {
  return { kind: 'remove-blobs', group: importGroup(context.aggregate, importId) };
}

/** Removes the name of an import's file. */
export function removeFileName(context: FoldContext, importId: string): Effect {
  return { kind: 'remove-blob', address: fileNameBlob(context.aggregate, importId) };
}

/** Removes what a validation wrote. */
export function removeAttemptBytes(context: FoldContext, importId: string, attempt: number): Effect {
  return { kind: 'remove-blobs', group: attemptGroup(context.aggregate, importId, attempt) };
}

/** Removes what the latest validation of an import wrote, if there was one. */
export function removeValidationBytes(
  context: FoldContext,
  importId: string,
  { validation }: ImportDocument,
): Effect[] {
  return validation === null ? [] : [removeAttemptBytes(context, importId, validation.attempt)];
}
