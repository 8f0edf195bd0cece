import { readRows } from '../../csv/cells.ts';
import { RecordScanner } from '../../csv/scanner.ts';
import { UploadCheck } from '../../csv/upload-check.ts';
import type { Examination } from './examination.ts';
import { examine } from './examine.ts';
import { type Choices, type FixKind, NO_CHOICES } from './findings.ts';
import type { Limits } from './limits.ts';
import { previewOf } from './preview.ts';

/** The rows of a file as the service reads them, or the code for which it refuses the file. */
export function readByService(bytes: Uint8Array): string | readonly (readonly string[] | null)[] {
  const check = new UploadCheck();
  check.write(bytes);
  const header = check.finish();
  if (header.kind === 'fault') return header.fault.code;
  const scanner = new RecordScanner(() => undefined);
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) return fault.code;
  return readRows(bytes, { offset: 0, line: 1 }).rows.map(({ cells }) => cells);
}

export const LIMITS: Limits = { rows: 10_000, columns: 100, previewOf };

/** Examines a file with the decisions of a person who takes what is shown about everything else. */
export function examined(
  file: string | Uint8Array,
  decided: Partial<Record<FixKind, boolean>> = {},
  choices: Omit<Choices, 'agreed'> = {},
): Examination {
  const agreed = new Map(Object.entries(decided) as [FixKind, boolean][]);
  for (;;) {
    const examination = examinedWith(file, { ...choices, agreed });
    const open = examination.findings.filter(({ isOpen }) => isOpen);
    for (const { kind, isAgreed } of open) agreed.set(kind, isAgreed);
    if (open.length === 0) return examination;
  }
}

/** Runs an examination to its end. Without choices, no decision is made. */
export function examinedWith(file: string | Uint8Array, choices = NO_CHOICES): Examination {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const examination = ended(examine(bytes, choices, LIMITS));
  if (examination === null) throw new Error('examining a file that is no text');
  return examination;
}

/** Runs work to its end. */
export function ended<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The kinds of the changes that a file needs, and of those that are offered in parentheses. */
export function kindsOf({ findings }: Examination): string[] {
  return findings.map(({ kind, isNeeded }) => (isNeeded ? kind : `(${kind})`));
}

/** The changes of a file, those that are not made in brackets, and the rows that arrive if a person takes what is shown. */
export function suggested(file: string | Uint8Array) {
  const { findings, corrected } = examined(file);
  return {
    changes: findings.map(({ kind, isAgreed }) => (isAgreed ? kind : `[${kind}]`)),
    rows: readByService(corrected ?? Buffer.from(file)),
  };
}
