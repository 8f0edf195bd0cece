import { resolve } from 'node:path';
import type { z } from 'zod';
import type { CommandContext } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readRegularFile } from './regular-file.ts';
import { readStandardInput } from './standard-input.ts';
import { utf8Text } from './text.ts';

/** The service takes configurations and mappings of this size. */
const JSON_BYTES_MAX = 256 * 1_024;

/** The name of standard input, which no whole path has. */
const STANDARD_INPUT = 'standard input';

/** Returns the whole path of a file that the caller names. `-` names standard input. */
export function sourcePath(given: string): string {
  return given === '-' ? STANDARD_INPUT : resolve(given);
}

/**
 * Reads the JSON file of a {@link sourcePath}.
 *
 * @throws {CommandFailure} if it is no regular file, no JSON, or lacks a member that the schema asks for
 */
export async function readJsonFile<Value>(
  path: string,
  schema: z.ZodType<Value>,
  { signal }: Pick<CommandContext, 'signal'>,
): Promise<Value> {
  const bytes =
    path === STANDARD_INPUT
      ? await readStandardInput(signal, JSON_BYTES_MAX)
      : readRegularFile(path, JSON_BYTES_MAX);
  return parseJson(utf8Text(bytes, path), path, schema);
}

/** Parses JSON that the caller has written. `source` names the place of it in the message of a failure. */
export function parseJson<Value>(text: string, source: string, schema: z.ZodType<Value>): Value {
  let value: unknown;
  try {
    // A shell passes the byte order mark of a file on, as in `"$(cat file)"`.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // PowerShell 5 and cmd give a program its arguments without them.
    const isUnquoted = source.startsWith('--') && !text.includes('"');
    const hint = isUnquoted ? ' The shell has taken its double quotes: name a file instead.' : '';
    throw usageFailure(`${source} is not valid JSON.${hint}`);
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the document'}: ${wordsOf(issue)}`,
  );
  throw usageFailure(`${source}: ${faults.join('; ')}.`);
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.input === undefined ? `missing, expected ${issue.expected}` : `expected ${issue.expected}`;
}
