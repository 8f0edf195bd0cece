import { basename, relative } from 'node:path';
import { bunWords } from '../../schemas/base/bun.ts';
import type { Next } from '../failure.ts';

/** Words that a shell takes as they are. */
const PLAIN_WORD = /^[A-Za-z0-9_./:@%+=,-]+$/;

/** Returns one word as a POSIX shell reads it. */
export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the words that start this runtime safely in a folder of strangers. Node obeys no file of the working directory. */
export function runtimeWords(isBun = 'bun' in process.versions): string[] {
  if (!isBun) return ['node'];
  return bunWords(process.platform === 'win32' ? 'NUL' : '/dev/null');
}

/**
 * Returns the words that start this tool again: a runtime and the file, or the name of a link to the file.
 *
 * @param script the path of the file, as the runtime names it
 * @param workingDirectory null if there is none
 */
export function startWords(script: string, workingDirectory: string | null, isBun?: boolean): string[] {
  if (!/\.[cm]?[jt]s$/.test(script)) return [basename(script)];
  const near = workingDirectory === null ? script : relative(workingDirectory, script);
  const path = near.length < script.length ? near : script;
  return [...runtimeWords(isBun), path];
}

/** Returns the words of a command as a line for a POSIX shell, with the words of the start in the place of `svc`. */
export function shellLine([program, ...words]: Next, start: readonly string[]): string {
  const first = program === 'svc' ? start : [program];
  return [...first, ...words].map(quoteWord).join(' ');
}
