import { digestOf, sha256Hex } from '../../schemas/base/digest.ts';
import { COLUMNS_MAX } from '../../schemas/csv/limits.ts';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { changeText } from '../../schemas/imports/fix/change-texts.ts';
import type { Examination } from '../../schemas/imports/fix/examination.ts';
import { examine } from '../../schemas/imports/fix/examine.ts';
import { type Choices, type Finding, NO_CHOICES, type Refusal } from '../../schemas/imports/fix/findings.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { type FileLimits, isImportable } from './check-file.ts';

/** A file with the changes that it needs. */
export interface Correction {
  readonly examination: Examination;
  /** The corrected file; null while a decision is missing. */
  readonly corrected: Corrected | null;
}

interface Corrected {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names exactly these changes of exactly this file. */
  readonly digest: string;
}

/** Reasons for which no table is looked for in a text. */
const NO_TABLE: Readonly<Record<string, string>> = {
  web_page: 'It is a web page or XML, and no table.',
  json: 'It is JSON, and no table.',
  other_format: 'It has the format of another program, and no table.',
};

/**
 * Finds the changes that a file needs.
 *
 * @returns null for a file that can be sent as it is
 * @throws {CommandFailure} for a file that cannot be corrected, or only with a decision of the caller, and for a decision about a
 * change that the file does not need; without a name or a value of the file
 */
export function correct(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  limits: FileLimits,
  choices: Choices,
): Correction | null {
  const examination = examined(bytes, limits.rows, choices);
  if (examination === null) {
    throw new CommandFailure(
      `${path} cannot be corrected: the file is not text, has several encodings, or is far over the limits.`,
      {
        code: 'not_correctable',
        exit: 'check',
      },
    );
  }
  requireFindings(examination, choices);
  requireLines(examination, choices);
  const { refusal, corrected, lastLine } = examination;
  if ((choices.header?.line ?? 1) > lastLine) {
    throw usageFailure(
      `--header-line: expected at most ${lastLine}, the last line of the file with a value.`,
    );
  }
  requireTable(examination, choices);
  if (refusal?.code === 'undecided') return { examination, corrected: null };
  if (refusal !== null) throw refused(path, examination, refusal);
  if (corrected === null) return null;
  const digest = digestOf(['fix', sha256Hex(bytes), sha256Hex(corrected)]);
  return { examination, corrected: { bytes: corrected, digest } };
}

/** Refuses a decision without a finding: the caller means another file, or takes this one for what it is not. */
function requireFindings(
  { findings, encoding, columns }: Examination,
  { agreed, encoding: named }: Choices,
): void {
  if (named !== undefined && named !== encoding) {
    throw usageFailure(`--encoding ${named}: the file is read as ${encoding}. Nothing was sent.`);
  }
  const kinds = findings.map(({ kind }) => kind);
  for (const [kind, isMade] of agreed) {
    // Rare signs in a single column are no finding, and an upload asks about them all the same.
    const isAsked = kind === 'separator' && !isMade && columns === 1;
    if (kinds.includes(kind) || isAsked) continue;
    const found = kinds.length === 0 ? 'It needs no changes.' : `It has: ${kinds.join(', ')}.`;
    throw usageFailure(
      `${isMade ? '--with' : '--without'} ${kind}: the file does not need it. ${found} Nothing was sent.`,
    );
  }
}

/** Refuses a decision about a line that the file does not have, or that is a record beyond doubt. */
function requireLines({ findings, lastLine }: Examination, { leftOut }: Choices): void {
  const listed = findings.flatMap(({ kind, parts }) => (kind === 'notes' ? parts.map(({ at }) => at) : []));
  for (const [line, isOut] of leftOut ?? []) {
    if (isOut ? line <= lastLine : listed.includes(line)) continue;
    throw usageFailure(
      `${isOut ? '--leave-out' : '--keep'} ${line}: the file has no such line to decide about. Nothing was sent.`,
    );
  }
}

function requireTable({ findings }: Examination, { table = 1 }: Choices): void {
  const { count = 1 } = findings.find(({ kind }) => kind === 'tables') ?? {};
  if (table > count) throw usageFailure(`--table: expected at most ${count}, the tables of the file.`);
}

/** Findings of rows that a person decides about in the console, if the caller sends invalid rows. */
const OF_ROWS: readonly Finding['kind'][] = ['fill', 'notes'];

/**
 * Refuses a file that the service would accept and read wrongly, or may: a change is needed, or the caller has to decide about it.
 *
 * @throws {CommandFailure} without a name or a value of the file
 */
export function requireReadable(path: string, bytes: Uint8Array, { rows, allowsInvalid }: FileLimits): void {
  const { findings = [] } = examined(bytes, rows, NO_CHOICES) ?? {};
  const open = findings.filter(({ kind, isOpen }) => isOpen && !(allowsInvalid && OF_ROWS.includes(kind)));
  const found = findings.find(({ isNeeded, isAgreed }) => isNeeded && isAgreed);
  if (open.length === 0 && found === undefined) return;
  const text = open.length > 0 ? 'may have more than a table' : 'would be read wrongly';
  throw new CommandFailure(`${path} ${text}. Nothing was sent.`, {
    code: open.length > 0 ? 'undecided' : (found?.kind ?? 'undecided'),
    findings: open.map(({ kind, count, line }) => ({ change: kind, count, line })),
    exit: 'check',
    next: ['svc', 'help', 'import', 'upload'],
  });
}

/** The changes with which a file can be imported, in words, or those that the caller has to decide about; or null. */
export function wayFor(bytes: Uint8Array, limits: FileLimits, choices: Choices): string | null {
  const { findings, corrected } = examined(bytes, limits.rows, choices) ?? { findings: [], corrected: null };
  const open = findings.filter(({ isOpen }) => isOpen);
  // Hardly a change makes a file much smaller.
  if (corrected === null && bytes.length > limits.bytes) return null;
  if (open.length > 0) return `--fix shows what you have to decide about: ${textOf(open)}.`;
  const isWay = corrected !== null && isImportable(corrected, limits);
  return isWay ? `The tool can correct it: ${textOf(findings.filter(({ isAgreed }) => isAgreed))}.` : null;
}

function textOf(findings: readonly Finding[]): string {
  return findings.map(({ kind, count }) => changeText(kind, count)).join('; ');
}

function examined(bytes: Uint8Array, rowsMax: number, choices: Choices): Examination | null {
  const work = examine(bytes, choices, { rows: rowsMax, columns: COLUMNS_MAX });
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function refused(
  path: string,
  { findings, encodings }: Examination,
  { code, line, counts }: Refusal,
): CommandFailure {
  const why = NO_TABLE[code] ?? FILE_FAULTS[code as keyof typeof FILE_FAULTS];
  const numbers = counts && ` (at least ${counts[0]} were found, at most ${counts[1]} are allowed)`;
  const where = line === null ? (numbers ?? '') : ` (line ${line})`;
  const open = findings.filter(({ isAgreed, fault }) => !isAgreed && fault !== null);
  const ways = open.map(({ kind, count }) => {
    const names = encodings.map(({ name }) => name).join(', ');
    return kind === 'encoding' && names !== ''
      ? `--encoding with one of ${names}`
      : `--with ${kind} (${changeText(kind, count)})`;
  });
  const help = ways.length === 0 ? 'Correct it in the file.' : `Decide with ${ways.join(', and ')}.`;
  return new CommandFailure(`${path} cannot be imported. ${why}${where} ${help} Nothing was sent.`, {
    code,
    exit: 'check',
    next: ['svc', 'help', 'import', 'upload'],
  });
}
