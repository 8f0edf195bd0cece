import { TOOL } from '../frame/commands.ts';

/** A text as one word for a shell. A variable, which stands for what a person has to fill in, stays one. */
function word(text: string): string {
  if (/^\$[A-Z_]+$/.test(text)) return `"${text}"`;
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that names an origin to check, or gets it another challenge. */
export function nameOriginCommand(origin: string): string {
  return `${TOOL} check origin --origin ${word(origin)}`;
}

/** The command that proves an origin, once its challenge is published. */
export function confirmOriginCommand(originId: string): string {
  return `${TOOL} check confirm --origin-id ${word(originId)}`;
}

/** The command that creates a suite of one page and one heading. */
export function createSuiteCommand(originId: string, origin: string): string {
  return `${TOOL} check create --origin-id ${word(originId)} --url ${word(`${origin}/`)} --heading 'Welcome'`;
}

/** The command that runs a suite and waits for its end. The key names the run, so that each second has another one. */
export function runSuiteCommand(suiteId: string): string {
  return `${TOOL} check run --suite ${word(suiteId)} --idempotency-key "run-$(date +%s)" --wait`;
}
