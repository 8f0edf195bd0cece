// What becomes of a request if the service does not decide about it.
import { SvcError } from './error.ts';

/** The result of a check where the service gives none: let the request through, refuse it, or throw the error. */
export type OnNoAnswer = 'allow' | 'deny' | 'throw';

/** The status of a used-up quota of the key. */
export const USED_UP = 429;
/**
 * The refusals (4xx) that say nothing against the check and the address: a rejected key, no subscription, a request that arrived too
 * slowly or too early, a used-up quota. `infra/docs/client.md` lists what every status leads to.
 */
const PASSING: readonly number[] = [401, 402, 408, 425, USED_UP];
/** Milliseconds between two warnings of one limiter. */
const WARNED_MS = 60_000;

/** The part of a decision that does not repeat the check. */
export interface WithoutAnswer {
  readonly allowed: boolean;
  readonly source: 'no_answer';
  readonly retryAfterMs: number | null;
  readonly error: SvcError;
}

/** Returns the decision without an answer. @throws {SvcError} if there is to be none */
export function without(error: unknown, onNoAnswer: OnNoAnswer): WithoutAnswer {
  if (!(error instanceof SvcError) || isWrong(error) || onNoAnswer === 'throw') throw error;
  const { retryAfterMs, status } = error;
  const allowed = onNoAnswer === 'allow' && status !== USED_UP;
  return { allowed, source: 'no_answer', retryAfterMs, error };
}

/** True if the check or the address is wrong, so that every request would be decided without the service. */
export function isWrong({ status }: SvcError): boolean {
  return status !== null && status >= 400 && status < 500 && !PASSING.includes(status);
}

/** Returns a function that warns of a decision without an answer, unless it did so within the last minute. */
export function warning(): (isAllowed: boolean, error: SvcError) => void {
  let quietUntil = 0;
  return (isAllowed, { code, message }) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + WARNED_MS;
    const text = `A request was ${isAllowed ? 'let through' : 'refused'} without an answer of the rate limiter. ${message}`;
    const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
    if (process?.emitWarning) process.emitWarning(text, 'SvcLimiterWarning', code);
    // biome-ignore lint/suspicious/noConsole: A runtime without a process has no other place for a warning.
    else console.warn(`SvcLimiterWarning: ${text} (${code})`);
  };
}
