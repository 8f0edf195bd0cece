// Counts the answers of a busy service: they are a part of what a benchmark measures, not its end.
import { setTimeout as sleep } from 'node:timers/promises';

const UNAVAILABLE = 503;
const ATTEMPTS_MAX = 50;
const RETRY_MS = 100;

/** The status in the message of a client's error, such as `GET /v1/agent answered 503 unavailable: …`. */
const IN_MESSAGE = /(?: answered|:) 503 /;

let counted = 0;

/** Adds answers with 503 that another process received. */
export function countUnavailable(answers: number): void {
  counted += answers;
}

/**
 * True for an answer that counts as measured; false for a 503, which counts as refused.
 *
 * @throws {Error} for any other status
 */
export function isAnswered(status: number, expected: readonly number[]): boolean {
  if (expected.includes(status)) return true;
  if (status !== UNAVAILABLE) throw new Error(`measuring: an answer has the status ${status}`);
  countUnavailable(1);
  return false;
}

/** Sends requests again, from the first one, as long as one of them fails with 503. */
export async function retryUnavailable<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error && IN_MESSAGE.test(error.message)) || attempt === ATTEMPTS_MAX)
        throw error;
      countUnavailable(1);
      await sleep(RETRY_MS);
    }
  }
}

/** The number of answers with 503 so far. */
export function unavailableAnswers(): number {
  return counted;
}
