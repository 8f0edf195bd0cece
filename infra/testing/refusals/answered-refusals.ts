import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { REFUSALS_ANSWERED } from '../../../gateway/http/failures.ts';
import { ERRORS } from '../../../schemas/base/error-codes.ts';
import { type Refusal, refusalSchema } from '../../../schemas/base/errors.ts';

/** The folder in which the processes of one test run note the refusals that they answer. Unset outside of a run. */
export const REFUSALS_FOLDER = 'SVC_TEST_ANSWERED_REFUSALS';

/** Failures of the service begin with this status. */
const FAILED_FROM = 500;

const noted = new Set<string>();

/**
 * Notes every refusal with a status below 500 that the gateways of this process answer from now on. Returns the end of that: the
 * gateways of other tests in this process are no real service.
 */
export function noteAnsweredRefusals(): () => void {
  const folder = process.env[REFUSALS_FOLDER];
  if (folder === undefined) return () => {};
  const file = join(folder, String(process.pid));
  const note = (refused: unknown) => {
    const { code, message } = refused as Refusal;
    const line = JSON.stringify({ code, message });
    if (ERRORS[code].status >= FAILED_FROM || noted.has(line)) return;
    noted.add(line);
    appendFileSync(file, `${line}\n`);
  };
  subscribe(REFUSALS_ANSWERED, note);
  return () => unsubscribe(REFUSALS_ANSWERED, note);
}

/** Returns every refusal that was noted in this run, or null outside of one. */
export function answeredRefusals(): Refusal[] | null {
  const folder = process.env[REFUSALS_FOLDER];
  if (folder === undefined) return null;
  const lines = new Set(
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  lines.delete('');
  return z.array(refusalSchema).parse([...lines].map((line) => JSON.parse(line)));
}
