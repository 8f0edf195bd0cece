import { RECORD_EVENT_OPERATION } from '../../../schemas/activate/documents.ts';
import type { Actor } from '../../../schemas/base/command.ts';
import { type Refusal, ServiceError } from '../../../schemas/base/errors.ts';
import { requestIdFrom } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import { HostCrashedError } from './host.fixture.ts';
import type { Gateway, World } from './world.fixture.ts';

/** A client's intent: one effect, for any number of requests. */
export interface Intent {
  readonly topic: CommandTopicName;
  readonly aggregate: string;
  readonly type: string;
  readonly input: JsonObject;
  /** Null: a request without a key. */
  readonly key: string | null;
  /** True if it may be asked for again: with a key always, without one where doing it twice is doing it once. */
  readonly repeatable: boolean;
  readonly actor?: Actor;
  /** The step before each request, with its addition to the input: the upload of bytes, and the name they got. */
  readonly prepare?: () => JsonObject;
}

/** A client's knowledge of one request. */
export type Observed =
  | { readonly kind: 'done'; readonly result: JsonObject }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' };

/** One request for an intent. */
export interface Attempt {
  readonly intent: Intent;
  readonly requestId: string;
  /** Null while the client waits. */
  observed: Observed | null;
}

const REQUEST_ID_BYTES = 18;
const ATTEMPTS_MAX = 4;
const PAUSE_MS_MAX = 1_500;

const CLIENT: Actor = { kind: 'agent', id: 'client' };

/** Clients that ask again with the same key until they know, and keep a record of what they observed. */
export class Clients {
  readonly #world: World;
  readonly #onObserved: (attempt: Attempt) => void;
  readonly attempts: Attempt[] = [];

  constructor(world: World, onObserved: (attempt: Attempt) => void = () => {}) {
    this.#world = world;
    this.#onObserved = onObserved;
  }

  /** Asks for something until the answer is known, or patience is at its end. Sometimes asks twice at once. */
  async askUntilKnown(intent: Intent): Promise<Observed> {
    const { random, scheduler } = this.#world;
    const attemptsMax = intent.repeatable ? random.between(1, ATTEMPTS_MAX) : 1;
    if (intent.repeatable && random.chance(0.1)) void this.ask(intent);
    let observed: Observed = { kind: 'unknown' };
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      observed = await this.ask(intent);
      if (observed.kind !== 'unknown') return observed;
      await scheduler.sleep(random.between(1, PAUSE_MS_MAX));
    }
    return observed;
  }

  /** Sends one request. */
  async ask(intent: Intent): Promise<Observed> {
    const { random } = this.#world;
    const attempt: Attempt = {
      intent,
      requestId: requestIdFrom(random.bytes(REQUEST_ID_BYTES)),
      observed: null,
    };
    this.attempts.push(attempt);
    const input = { ...intent.input, ...intent.prepare?.() };
    const gateways = this.#world.gateways.filter(({ host }) => host.alive);
    const observed: Observed =
      gateways.length === 0 ? { kind: 'unknown' } : await send(random.pick(gateways), attempt, input);
    attempt.observed = observed;
    this.#onObserved(attempt);
    return observed;
  }

  /** The intents that may be repeated, and of which the client has never observed a certain answer. */
  unknown(): readonly Intent[] {
    const known = new Set(this.attempts.filter(isCertain).map(({ intent }) => intent));
    return [...new Set(this.attempts.map(({ intent }) => intent))].filter(
      (intent) => intent.repeatable && !known.has(intent),
    );
  }
}

function isCertain({ observed }: Attempt): boolean {
  return observed !== null && observed.kind !== 'unknown';
}

async function send(
  { host, submitter }: Gateway,
  { intent, requestId }: Attempt,
  input: JsonObject,
): Promise<Observed> {
  const { topic, aggregate, type, key, actor = CLIENT } = intent;
  const submitted = submitter.send({
    topic,
    key: aggregate,
    type,
    operation: type === 'record-event' ? RECORD_EVENT_OPERATION : type,
    idempotencyKey: key,
    digestInput: input,
    requestId,
    actor,
    input,
  });
  try {
    return { kind: 'done', result: await Promise.race([submitted, host.crashed]) };
  } catch (error) {
    if (error instanceof HostCrashedError) return { kind: 'unknown' };
    if (!(error instanceof ServiceError)) throw error;
    const { refusal } = error;
    return refusal.code === 'unavailable' ? { kind: 'unknown' } : { kind: 'refused', refusal };
  }
}
