import { z } from 'zod';
import { LEGACY } from '../../schemas/imports/fix/encodings.ts';
import type { Choices, FixKind } from '../../schemas/imports/fix/findings.ts';
import type { CommandContext } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readJsonFile, sourcePath } from '../input/json-file.ts';
import type { Options } from '../options.ts';
import { changeFault, encodingFault, linesIn, separatorFault } from './change-faults.ts';

/** The lines that a header can take. */
const HEADER_LINES_MAX = 20;

const kinds = z.array(z.string().refine((kind) => changeFault(kind) === null)).default([]);
const lines = z.array(z.int().min(1)).default([]);

/** The decisions about a file, as `--decisions` reads them. */
const decisionsSchema = z.strictObject({
  with: kinds,
  without: kinds,
  leaveOut: lines,
  keep: lines,
  encoding: z
    .string()
    .refine((name) => encodingFault(name) === null)
    .optional(),
  separator: z
    .string()
    .refine((sign) => separatorFault(sign) === null)
    .optional(),
  table: z.int().min(1).optional(),
  headerLine: z.int().min(1).optional(),
  headerLines: z.int().min(0).max(HEADER_LINES_MAX).optional(),
});

type Decisions = z.infer<typeof decisionsSchema>;

/** Reads the decisions about a file from a command line, and from the file of `--decisions`. */
export async function choicesOf(context: CommandContext, options: Options): Promise<Choices> {
  const path = options.optionalText('decisions');
  const filed =
    path === null
      ? decisionsSchema.parse({})
      : await readJsonFile(sourcePath(path), decisionsSchema, context);
  return chosenBy({
    ...filed,
    with: [...filed.with, ...(options.list('with') ?? [])],
    without: [...filed.without, ...(options.list('without') ?? [])],
    leaveOut: [...filed.leaveOut, ...linesOf(options, 'leave-out')],
    keep: [...filed.keep, ...linesOf(options, 'keep')],
    encoding: options.optionalText('encoding') ?? filed.encoding,
    separator: options.optionalText('separator') ?? filed.separator,
    table: numberOf(options, 'table') ?? filed.table,
    headerLine: numberOf(options, 'header-line') ?? filed.headerLine,
    headerLines: headerLinesOf(options) ?? filed.headerLines,
  });
}

function chosenBy(decisions: Decisions): Choices {
  const { encoding: named, separator, table, headerLine, headerLines, leaveOut, keep } = decisions;
  requireOne(decisions.with, decisions.without, '--with and in --without');
  requireOne(leaveOut, keep, '--leave-out and in --keep');
  if (headerLines !== undefined && headerLine === undefined)
    throw usageFailure('--header-lines needs --header-line.');
  const encoding = LEGACY.find((name) => name === named);
  const agreed = [
    ...decisions.with.map((kind) => [kind, true] as const),
    ...decisions.without.map((kind) => [kind, false] as const),
  ];
  const leftOut = new Map([
    ...leaveOut.map((line) => [line, true] as const),
    ...keep.map((line) => [line, false] as const),
  ]);
  return {
    agreed: new Map(agreed as [FixKind, boolean][]),
    ...(leftOut.size > 0 && { leftOut }),
    ...(encoding !== undefined && { encoding }),
    ...(separator !== undefined && { separator: separator === 'tab' ? '\t' : separator }),
    ...(table !== undefined && { table }),
    ...(headerLine !== undefined && { header: { line: headerLine, lines: headerLines ?? 1 } }),
  };
}

function requireOne(made: readonly unknown[], declined: readonly unknown[], where: string): void {
  const both = made.find((each) => declined.includes(each));
  if (both !== undefined) throw usageFailure(`${both} is in ${where}.`);
}

function numberOf(options: Options, name: string): number | undefined {
  return options.optionalText(name) === null ? undefined : options.number(name);
}

function headerLinesOf(options: Options): number | undefined {
  const text = options.optionalText('header-lines');
  return text === null ? undefined : Number(text);
}

function linesOf(options: Options, name: string): number[] {
  return (options.list(name) ?? []).flatMap(linesIn);
}
