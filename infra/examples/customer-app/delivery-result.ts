import type { ServiceAnswer } from './service-client.ts';

/** The next state of an intent after an attempt to deliver it. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** Try again with the same key, in `afterMs`. */
  | { readonly kind: 'again'; readonly afterMs: number; readonly reason: string }
  /** A limit is reached: try again when it resets. */
  | { readonly kind: 'when-reset'; readonly reason: string }
  /** A person has to remove the cause first: a missing claim, a wrong credential. */
  | { readonly kind: 'parked'; readonly reason: string }
  /** No attempt will ever do better. */
  | { readonly kind: 'set-aside'; readonly reason: string };

/** A paused workspace works again after its owner's resume, which the service does not announce. */
const WORKSPACE_PAUSED_MS = 60 * 60_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** A pause is drawn from half of its length to the whole, so that many clients do not come back at once. */
const JITTER = 0.5;

/**
 * Reads an answer to an event, or the lack of one (null), as the service's documentation says:
 * no answer, 500 and 503 are tried again, 400, 409 and 410 never; 401, 403 and 404 wait for a person, 429 for its reset,
 * and a pause is looked at again hourly.
 *
 * @param attempts failures in a row before this one
 * @param random from 0 to 1
 */
export function deliveryResult(
  answer: ServiceAnswer | null,
  attempts: number,
  random: number,
): DeliveryResult {
  if (answer === null) return again('no answer', attempts, random, null);
  const { status, code, retryAfterMs } = answer;
  const reason = `${status} ${code ?? ''}`.trim();
  switch (status) {
    case 200:
      return { kind: 'delivered' };
    case 400:
    case 409:
    case 410:
      return { kind: 'set-aside', reason };
    case 403:
      if (code === 'workspace_paused') return later(WORKSPACE_PAUSED_MS, random, reason);
      return { kind: 'parked', reason };
    case 401:
    case 404:
      return { kind: 'parked', reason };
    case 429:
      return code === 'limit_reached'
        ? { kind: 'when-reset', reason }
        : again(reason, attempts, random, retryAfterMs);
    default:
      return again(reason, attempts, random, retryAfterMs);
  }
}

function later(pauseMs: number, random: number, reason: string): DeliveryResult {
  return { kind: 'again', afterMs: Math.round(pauseMs * (1 - JITTER * random)), reason };
}

function again(reason: string, attempts: number, random: number, atLeastMs: number | null): DeliveryResult {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS);
  const drawn = Math.round(pause * (1 - JITTER * random));
  return { kind: 'again', afterMs: Math.max(drawn, atLeastMs ?? 0), reason };
}
