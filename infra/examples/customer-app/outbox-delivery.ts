import { deliveryResult } from './delivery-result.ts';
import type { Intent, Outbox } from './outbox.ts';
import { type ServiceAnswer, type ServiceClient, TransportError } from './service-client.ts';
import { Signal } from './signal.ts';

/** Intents that are delivered at the same time. Their order does not matter to the service. */
const AT_ONCE = 8;

/** The wait for a full month's limit if the service does not say when it resets. */
const UNKNOWN_RESET_MS = 60 * 60_000;

/** Longer waits are cut: a clock that was moved, or a limit that was raised, is noticed then. */
const LONGEST_WAIT_MS = 60_000;

export interface ChecklistAddress {
  readonly installationId: string;
  readonly checklistId: string;
  readonly cohort: 'test' | 'live';
}

export interface OutboxDeliveryParts {
  readonly outbox: Outbox;
  readonly service: ServiceClient;
  readonly checklist: ChecklistAddress;
  /** The digest that stands for a user: see subject-digest.ts. */
  readonly digestOf: (userId: string) => string;
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

  async #deliver(intent: Intent): Promise<void> {
    const { outbox } = this.#parts;
    const result = deliveryResult(await this.#send(intent), intent.attempts, Math.random());
    switch (result.kind) {
      case 'delivered':
        return outbox.settle(intent.id, 'delivered', null);
      case 'again':
        return outbox.postpone(intent.id, Date.now() + result.afterMs, result.reason);
      case 'when-reset':
        return await this.#postponeUntilReset(intent, result.reason);
      case 'parked':
      case 'set-aside':
        return outbox.settle(intent.id, result.kind, result.reason);
    }
  }

  async #send({ id, userId, eventKey }: Intent): Promise<ServiceAnswer | null> {
    const { service, checklist, digestOf } = this.#parts;
    const { installationId, checklistId, cohort } = checklist;
    return await answered(
      service.send(
        'POST',
        `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`,
        {
          schemaVersion: '2026-09-07',
          idempotencyKey: id,
          subjectDigest: digestOf(userId),
          cohort,
          eventKey,
        },
      ),
    );
  }

  /** A month's limit resets at its end. A preview's never does: that waits for a person, who may claim it. */
  async #postponeUntilReset({ id }: Intent, reason: string): Promise<void> {
    const answer = await answered(this.#parts.service.send('GET', '/v1/agent/svcactivate'));
    const { limits } = Object(answer?.status === 200 ? answer.body : null) as {
      limits?: Record<string, { remaining: number; resetsAt: string | null }>;
    };
    const reached = ['events', 'enrollments']
      .map((name) => limits?.[name])
      .find((limit) => limit?.remaining === 0);
    if (reached !== undefined && reached.resetsAt === null) {
      this.#parts.outbox.settle(id, 'parked', reason);
      return;
    }
    const dueAt = reached?.resetsAt ? Date.parse(reached.resetsAt) : Date.now() + UNKNOWN_RESET_MS;
    this.#parts.outbox.postpone(id, dueAt, reason);
  }
}

async function answered(sending: Promise<ServiceAnswer>): Promise<ServiceAnswer | null> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof TransportError) return null;
    throw error;
  }
}
