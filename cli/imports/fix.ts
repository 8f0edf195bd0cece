import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../schemas/base/digest.ts';
import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import { changeText } from '../../schemas/imports/fix/change-texts.ts';
import { changesMade, isMade } from '../../schemas/imports/fix/changes-made.ts';
import type { Choices, Finding } from '../../schemas/imports/fix/findings.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure, interruption, type Next, usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { type Block, facts, line, printable, table } from '../output/blocks.ts';
import type { FileLimits } from './check-file.ts';
import { type Correction, correct } from './correct.ts';

/** The changes of a file, in the output of `import upload --fix`. They name no text of the file. */
export const fixOutput = z.object({
  digest: z
    .string()
    .nullable()
    .describe('of these changes of this file, for --accept; null while a decision is missing'),
  changes: z.array(
    z.object({
      change: z.string().describe('name for --with and --without'),
      isMade: z.boolean(),
      isOpen: z.boolean().describe('true until you decide'),
      lines: z.array(z.number()).describe('lines for --leave-out and --keep, the first ones'),
      count: z.number().describe('places in the file'),
      line: z.number().nullable().describe('line of the first occurrence'),
      text: z.string(),
    }),
  ),
  tables: z
    .array(
      z.object({
        table: z.number().describe('for --table'),
        firstLine: z.number(),
        lastLine: z.number(),
        isRead: z.boolean(),
      }),
    )
    .describe('those of a file of several'),
  encoding: z.string().describe('in which the file was read'),
  headerLine: z.number(),
  rows: z.number(),
  sha256: z.string().nullable().describe('of the corrected file'),
});

export type Fix = z.infer<typeof fixOutput>;

/** A file that can be sent, or the outcome that asks the caller to accept its changes. */
export type Fixed =
  | {
      readonly kind: 'send';
      readonly bytes: Buffer<ArrayBuffer>;
      readonly fix: Fix | null;
      /** The made changes, as the reservation names them. */
      readonly changes: readonly CountedChange[];
    }
  | { readonly kind: 'ask'; readonly outcome: Outcome };

interface FixedFile {
  readonly path: string;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly limits: FileLimits;
  readonly choices: Choices;
}

/**
 * Corrects a file as far as the caller accepts it: by the digest of the changes, or by an answer on a terminal.
 *
 * @throws {CommandFailure} for a file that cannot be corrected
 */
export async function fixFile(
  context: CommandContext,
  options: Options,
  { path, bytes, limits, choices }: FixedFile,
): Promise<Fixed> {
  const correction = correct(path, bytes, limits, choices);
  if (correction === null) return { kind: 'send', bytes, fix: null, changes: [] };
  const fix = fixOf(correction);
  save(options, correction);
  const accepted = options.optionalText('accept');
  const { corrected } = correction;
  if (corrected === null) return { kind: 'ask', outcome: undecided(context, options, correction, fix) };
  const isAccepted =
    accepted === null ? await isAgreedTo(context, options, correction) : accepted === corrected.digest;
  const changes = changesMade(correction.examination, choices);
  if (isAccepted) return { kind: 'send', bytes: Buffer.from(corrected.bytes), fix, changes };
  const text =
    accepted === null
      ? 'Nothing was sent. Accept the changes by their digest.'
      : 'Nothing was sent: the digest belongs to other changes. Review these.';
  return {
    kind: 'ask',
    outcome: {
      data: { fix },
      blocks: [...blocksOf(fix), line(text)],
      exit: 'confirmation',
      next: acceptingLine(options, corrected.digest),
    },
  };
}

/** The outcome for a file with findings that the caller has not decided about. A person at a terminal sees their texts. */
function undecided(
  context: CommandContext,
  options: Options,
  { examination }: Correction,
  fix: Fix,
): Outcome {
  if (isSeen(options)) showTexts(context, examination.findings);
  const open = fix.changes.filter(({ isOpen }) => isOpen).map(({ change }) => change);
  return {
    data: { fix },
    blocks: [
      ...blocksOf(fix),
      line(`Nothing was sent. Decide about each with --with or --without: ${open.join(', ')}.`),
    ],
    exit: 'confirmation',
    next: ['svc', 'help', 'import', 'upload'],
  };
}

function fixOf({ examination, corrected }: Correction): Fix {
  const { findings, encoding, header, rows } = examination;
  return {
    digest: corrected?.digest ?? null,
    changes: findings.map((finding) => ({
      change: finding.kind,
      isMade: isMade(finding),
      isOpen: finding.isOpen,
      lines: finding.kind === 'notes' ? finding.parts.map(({ at }) => at) : [],
      count: finding.count,
      line: finding.line,
      text: changeText(finding.kind, finding.count),
    })),
    tables: tablesOf(findings),
    encoding,
    headerLine: header.line,
    rows: rows.length,
    sha256: corrected && sha256Hex(corrected.bytes),
  };
}

/** The places of the tables of a file of several. */
function tablesOf(findings: readonly Finding[]): Fix['tables'] {
  const { parts = [] } = findings.find(({ kind }) => kind === 'tables') ?? {};
  return parts.flatMap(({ at, lines, isAgreed }) =>
    lines === undefined ? [] : [{ table: at, firstLine: lines[0], lastLine: lines[1], isRead: isAgreed }],
  );
}

/** Lays the changes out for a person. */
export function blocksOf({ changes, tables, encoding, headerLine, rows, digest }: Fix): Block[] {
  return [
    table(
      ['change', 'made', 'line', 'what'],
      changes.map((each) => [
        each.change,
        each.isOpen ? 'decide' : each.isMade ? 'yes' : 'no',
        each.line === null ? '' : String(each.line),
        each.text,
      ]),
    ),
    facts(
      ...tables.map((each) => [`table ${each.table}`, placeOf(each)] as const),
      ['read as', `${encoding}, header on line ${headerLine}, ${rows} rows`],
      ...(digest === null ? [] : [['changes', digest] as const]),
    ),
  ];
}

function placeOf({ firstLine, lastLine, isRead }: Fix['tables'][number]): string {
  return `lines ${firstLine} to ${lastLine}${isRead ? ', which are read' : ''}`;
}

/** Writes the corrected file where the caller wants to look at it. */
function save(options: Options, { corrected }: Correction): void {
  const path = options.optionalText('save');
  if (path === null || corrected === null) return;
  try {
    writeFileSync(resolve(path), corrected.bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw usageFailure(`--save: ${path} cannot be written: ${code}. A file that exists is never replaced.`);
  }
}

/** Asks the person at the terminal. Texts of the file are shown to a person only. */
async function isAgreedTo(
  context: CommandContext,
  options: Options,
  { examination }: Correction,
): Promise<boolean> {
  const { stdin, stderr } = process;
  const { signal } = context;
  if (!isSeen(options)) return false;
  showTexts(context, examination.findings);
  const { createInterface } = await import('node:readline');
  stderr.write('Make the changes with [x], and upload the file? [y/N] ');
  const lines = createInterface({ input: stdin, signal });
  try {
    for await (const answer of lines) return /^y(es)?$/i.test(answer.trim());
  } finally {
    // An open one would keep the process.
    lines.close();
  }
  if (signal.aborted) throw interruption();
  return false;
}

/** True if a person sees the output. */
function isSeen(options: Options): boolean {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY && !options.flag('json') && !options.flag('quiet');
}

/** Shows the findings to a person, with their texts. */
function showTexts({ progress }: CommandContext, findings: readonly Finding[]): void {
  for (const finding of findings) {
    const { kind, count, line: at, examples, parts, isOpen } = finding;
    const place = at === null ? '' : ` (line ${at})`;
    const texts = kind === 'notes' ? parts.map((part) => `${part.at}: ${part.text}`) : examples;
    const seen = texts.length === 0 ? '' : `: ${texts.map(printable).join(' · ')}`;
    const mark = isOpen ? '[?]' : isMade(finding) ? '[x]' : '[ ]';
    progress.tell(`${mark} ${kind}: ${changeText(kind, count)}${place}${seen}`);
  }
}

/** The options of the command that decide about the file and its changes. */
const REPEATED =
  'schema revision file decisions encoding separator table header-line header-lines idempotency-key'.split(
    ' ',
  );

function acceptingLine(options: Options, digest: string): Next {
  return [...fixingLine(options), '--accept', digest];
}

function fixingLine(options: Options): Next {
  const given = REPEATED.flatMap((name) => {
    const value = options.optionalText(name);
    return value === null ? [] : [`--${name}`, value];
  });
  const kinds = ['with', 'without', 'leave-out', 'keep'].flatMap((name) => {
    const values = options.list(name) ?? [];
    return values.length === 0 ? [] : [`--${name}`, values.join(',')];
  });
  const allowing = options.flag('allow-invalid') ? ['--allow-invalid'] : [];
  return ['svc', 'import', 'upload', ...given, ...allowing, '--fix', ...kinds];
}

/** Makes the failure of a file that `--fix` can correct, from the one of the file without it. */
export function correctableFailure(
  { message, code, findings }: CommandFailure,
  options: Options,
  way: string,
): CommandFailure {
  return new CommandFailure(`${message} ${way}`, {
    code,
    exit: 'check',
    findings,
    next: fixingLine(options),
  });
}
