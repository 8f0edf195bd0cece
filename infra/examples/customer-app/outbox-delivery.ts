import { type Events, type SvcError, subjectDigest } from 'svc-client';
import type { Intent, Outbox } from './outbox.ts';
import { Signal } from './signal.ts';

/** Intents that are delivered at the same time, in a request or two. Their order does not matter to the service. */
const AT_ONCE = 500;

/** Longer waits are cut: a clock that was moved, or a limit that was raised, is noticed then. */
const LONGEST_WAIT_MS = 60_000;

/** The pause after a failure grows with the failures in a row. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5 * 60_000;

export interface OutboxDeliveryParts {
  readonly outbox: Outbox;
  readonly milestones: Events;
  /** Keys the digests that stand for users. */
  readonly subjectSecret: string;
}

/** Delivers intents after their commit, in the background, until it is stopped. */
export class OutboxDelivery {
  readonly #parts: OutboxDeliveryParts;
  readonly #signal = new Signal();
  #stopped = false;
  readonly #ended: Promise<void>;

  constructor(parts: OutboxDeliveryParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  /** There is something to deliver: do not wait for the next look. */
  notify(): void {
    this.#signal.notify();
  }

  /** Lets attempts that have begun end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#signal.notify();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const intents = this.#parts.outbox.due(Date.now(), AT_ONCE);
      if (intents.length > 0) await Promise.all(intents.map((intent) => this.#deliver(intent)));
      else await this.#signal.wait(this.#untilDue());
    }
  }

  #untilDue(): number {
    const dueAt = this.#parts.outbox.nextDueAt();
    return Math.min(Math.max(0, (dueAt ?? Number.MAX_SAFE_INTEGER) - Date.now()), LONGEST_WAIT_MS);
  }

  /** Sends an intent with its id as the key, and writes down what became of it. */
  async #deliver({ id, userId, eventKey, attempts }: Intent): Promise<void> {
    const { outbox, milestones, subjectSecret } = this.#parts;
    const subject = await subjectDigest(subjectSecret, userId);
    const result = await milestones.record({ idempotencyKey: id, subjectDigest: subject, eventKey });
    switch (result.outcome) {
      case 'recorded':
      case 'completed':
      case 'already':
        return outbox.settle(id, 'delivered', null);
      case 'refused':
        return outbox.settle(id, 'set-aside', reasonOf(result.error));
      case 'not_yet': {
        const { error, retryAfterMs } = result;
        if (retryAfterMs === null) return outbox.settle(id, 'parked', reasonOf(error));
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS);
        return outbox.postpone(id, Date.now() + Math.max(pauseMs, retryAfterMs), reasonOf(error));
      }
    }
  }
}

function reasonOf({ status, code }: SvcError): string {
  return status === null ? 'no answer' : `${status} ${code}`;
}
