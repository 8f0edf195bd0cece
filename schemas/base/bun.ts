/**
 * The words that start Bun so that no file of the working directory runs code before the script, takes its place, or sets
 * variables: `bunfig.toml`, `tsconfig.json`, `jsconfig.json`, `.env`. Bun obeys them for a script that lies elsewhere, too.
 *
 * @param empty a file without content; `NUL` on Windows
 */
export function bunWords(empty = '/dev/null'): string[] {
  return ['bun', '--no-env-file', `--config=${empty}`, `--tsconfig-override=${empty}`];
}

/** The same as a text for a POSIX shell. */
export const BUN = bunWords().join(' ');
