import { digestOf, sha256Hex } from '../../schemas/base/digest.ts';
import { COLUMNS_MAX } from '../../schemas/csv/limits.ts';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { changeText } from '../../schemas/imports/fix/change-texts.ts';
import { LEGACY } from '../../schemas/imports/fix/encodings.ts';
import type { Examination } from '../../schemas/imports/fix/examination.ts';
import { examine } from '../../schemas/imports/fix/examine.ts';
import { type Choices, type Finding, NO_CHOICES, type Refusal } from '../../schemas/imports/fix/findings.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { type FileLimits, isImportable } from './check-file.ts';

/** A file with the changes that it needs. */
export interface Correction {
  readonly examination: Examination;
  readonly corrected: Uint8Array<ArrayBuffer>;
  /** Names exactly these changes of exactly this file. */
  readonly digest: string;
}

/** Reasons for which no table is looked for in a text. */
const NO_TABLE: Readonly<Record<string, string>> = {
  web_page: 'It is a web page or XML, and no table.',
  json: 'It is JSON, and no table.',
  other_format: 'It has the format of another program, and no table.',
};

/** Reads the decisions about changes from a command line. */
export function choicesOf(options: Options): Choices {
  const [made, left] = [options.list('with') ?? [], options.list('without') ?? []];
  const both = made.find((kind) => left.includes(kind));
  if (both !== undefined) throw usageFailure(`${both} is in --with and in --without.`);
  const encoding = LEGACY.find((name) => name === options.optionalText('encoding'));
  const line = options.optionalText('header-line') === null ? null : options.number('header-line');
  const table = options.optionalText('table') === null ? null : options.number('table');
  const separator = options.optionalText('separator');
  const agreed = [...made.map((kind) => [kind, true]), ...left.map((kind) => [kind, false])];
  return {
    agreed: new Map(agreed as [Finding['kind'], boolean][]),
    ...(encoding !== undefined && { encoding }),
    ...(separator !== null && { separator: separator === 'tab' ? '\t' : separator }),
    ...(table !== null && { table }),
    ...(line !== null && { header: { line, lines: 1 } }),
  };
}

/**
 * Finds the changes that a file needs.
 *
 * @returns null for a file that can be sent as it is, without a question that the caller has not answered
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
      `${path} cannot be corrected: the file is not text, or is far over the limits.`,
      {
        code: 'not_correctable',
        exit: 'check',
      },
    );
  }
  requireFindings(examination, choices);
  const { refusal, corrected, lastLine } = examination;
  if ((choices.header?.line ?? 1) > lastLine) {
    throw usageFailure(
      `--header-line: expected at most ${lastLine}, the last line of the file with a value.`,
    );
  }
  if (refusal !== null) throw refused(path, examination, refusal);
  requireTable(examination, choices);
  const isAsked = corrected !== null || (isOpen(examination, choices) && isImportable(bytes, limits));
  if (!isAsked) return null;
  const sent = corrected ?? bytes;
  return { examination, corrected: sent, digest: digestOf(['fix', sha256Hex(bytes), sha256Hex(sent)]) };
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

/** True if a change that may be needed is not made, and the caller has not declined it. */
function isOpen({ findings }: Examination, { agreed }: Choices): boolean {
  return findings.some(({ kind, isNeeded, isAgreed }) => isNeeded && !isAgreed && !agreed.has(kind));
}

function requireTable({ findings }: Examination, { table = 1 }: Choices): void {
  const { count = 1 } = findings.find(({ kind }) => kind === 'tables') ?? {};
  if (table > count) throw usageFailure(`--table: expected at most ${count}, the tables of the file.`);
}

/**
 * Refuses a file that the service would accept and read wrongly: a change is needed, and ticked.
 *
 * @throws {CommandFailure} without a name or a value of the file
 */
export function requireReadable(path: string, bytes: Uint8Array, { rows }: FileLimits): void {
  const { findings = [] } = examined(bytes, rows, NO_CHOICES) ?? {};
  const found = findings.find(({ isNeeded, isAgreed }) => isNeeded && isAgreed);
  if (found === undefined) return;
  throw new CommandFailure(`${path} would be read wrongly. Nothing was sent.`, {
    code: found.kind,
    exit: 'check',
    next: ['svc', 'help', 'import', 'upload'],
  });
}

/** The changes after which a file can be imported. */
export interface Way {
  /** The changes that the caller has to decide for: none, or one. */
  readonly decided: readonly Finding['kind'][];
  /** All of them, in words. */
  readonly text: string;
}

/** Returns a way in which a file can be imported, with at most one decision more than those of the caller; or null. */
export function wayFor(bytes: Uint8Array, limits: FileLimits, choices: Choices): Way | null {
  const first = examined(bytes, limits.rows, choices);
  const open = (first?.findings ?? []).filter(({ kind, isAgreed }) => !isAgreed && !PARTIAL.includes(kind));
  for (const decided of [[], ...open.map(({ kind }) => [kind])]) {
    const agreed = new Map([...choices.agreed, ...decided.map((kind) => [kind, true] as const)]);
    const examination = decided.length === 0 ? first : examined(bytes, limits.rows, { ...choices, agreed });
    if (examination === null || !isImportable(examination.corrected ?? NOTHING, limits)) continue;
    const made = examination.findings.filter(({ isAgreed }) => isAgreed);
    return { decided, text: made.map(({ kind, count }) => changeText(kind, count)).join('; ') };
  }
  return null;
}

const NOTHING = new Uint8Array();
/** Changes that import less than the file has. The tool does not suggest them. */
const PARTIAL: readonly Finding['kind'][] = ['rows', 'columns', 'notes'];

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
