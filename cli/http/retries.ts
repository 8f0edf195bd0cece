import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../schemas/base/backoff.ts';
import { CommandFailure } from '../failure.ts';
import { type Received, TransportError } from './fetch-text.ts';

/** Attempts of one request. */
const ATTEMPTS_MAX = 4;
const BACKOFF = { firstMs: 200, maxMs: 2_000 };
/** The longest pause that `Retry-After` can ask for; beyond it the command ends and names the pause. */
const RETRY_AFTER_SECONDS = 20;

interface Retried {
  readonly signal: AbortSignal;
  /** True if the request changes something. */
  readonly isChange: boolean;
}

/**
 * Repeats a request after a lost connection and after 503, with growing pauses.
 *
 * @throws {CommandFailure} `network` if the last attempt got no answer
 */
export async function withRetries(
  { signal, isChange }: Retried,
  attempt: () => Promise<Received>,
): Promise<Received> {
  let outcome = await outcomeOf(attempt);
  let isUnknown = mayHaveActed(outcome);
  for (let tried = 1; tried < ATTEMPTS_MAX; tried += 1) {
    signal.throwIfAborted();
    const pauseMs = pauseAfter(outcome, tried);
    if (pauseMs === null) break;
    await pause(pauseMs, undefined, { signal });
    outcome = await outcomeOf(attempt);
    isUnknown ||= mayHaveActed(outcome);
  }
  signal.throwIfAborted();
  if (outcome instanceof TransportError) throw unreachable(outcome, isChange && isUnknown);
  return outcome;
}

function mayHaveActed(outcome: Received | TransportError): boolean {
  return outcome instanceof TransportError ? outcome.mayHaveActed : outcome.status >= 500;
}

async function outcomeOf(attempt: () => Promise<Received>): Promise<Received | TransportError> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}

/** Returns the pause before the next attempt in milliseconds, or null if another attempt does not help. */
function pauseAfter(outcome: Received | TransportError, tried: number): number | null {
  const backoff = backoffMs(tried, BACKOFF) * (0.5 + Math.random() / 2);
  if (outcome instanceof TransportError) return tried <= outcome.tries ? backoff : null;
  if (outcome.status !== 503) return null;
  const seconds = outcome.retryAfterSeconds ?? 0;
  return seconds > RETRY_AFTER_SECONDS ? null : Math.max(backoff, seconds * 1_000);
}

function unreachable({ message }: TransportError, isUnknown: boolean): CommandFailure {
  return new CommandFailure(message, {
    code: 'network',
    exit: 'network',
    next: ['svc', 'doctor'],
    isUnknown,
  });
}
