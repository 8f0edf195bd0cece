import { readFileSync } from 'node:fs';

/** The text of a guide in this folder. */
export function readGuide(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/**
 * The code of a guide's first block in a language that begins like this.
 *
 * @throws {Error} if there is none
 */
export function codeOf(guide: string, language: string, beginning: string): string {
  const blocks = [...guide.matchAll(/^```([a-z]+)\n(.*?)^```$/gms)];
  const code = blocks.find(([, kind, body]) => kind === language && body?.startsWith(beginning))?.[2];
  if (code === undefined) throw new Error(`finding ${language} that begins with ${beginning}`);
  return code;
}
