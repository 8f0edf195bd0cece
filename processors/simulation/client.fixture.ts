import type { Actor } from '../../schemas/base/command.ts';
import { type Refusal, ServiceError } from '../../schemas/base/errors.ts';
import { requestIdFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import { HostCrashedError } from './host.fixture.ts';
import type { Gateway, World } from './world.fixture.ts';

/** A client's wish: one effect, for any number of requests. */
export interface Wish {
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
export type Heard =
  | { readonly kind: 'done'; readonly result: JsonObject }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' };

/** One request for a wish. */
export interface Attempt {
  readonly wish: Wish;
  readonly requestId: string;
  /** Null while the client waits. */
  heard: Heard | null;
}

const REQUEST_ID_BYTES = 18;
const ATTEMPTS_MAX = 4;
const PAUSE_MS_MAX = 1_500;

const CLIENT: Actor = { kind: 'agent', id: 'client' };

/** Clients that ask again with the same key until they know, and keep a record of what they heard. */
export class Clients {
  readonly #world: World;
  readonly #onHeard: (attempt: Attempt) => void;
  readonly attempts: Attempt[] = [];

  constructor(world: World, onHeard: (attempt: Attempt) => void = () => {}) {
    this.#world = world;
    this.#onHeard = onHeard;
  }

  /** Asks for something until the answer is known, or patience is at its end. Sometimes asks twice at once. */
  async pursue(wish: Wish): Promise<Heard> {
    const { random, scheduler } = this.#world;
    const attemptsMax = wish.repeatable ? random.between(1, ATTEMPTS_MAX) : 1;
    if (wish.repeatable && random.chance(0.1)) void this.ask(wish);
    let heard: Heard = { kind: 'unknown' };
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      heard = await this.ask(wish);
      if (heard.kind !== 'unknown') return heard;
      await scheduler.sleep(random.between(1, PAUSE_MS_MAX));
    }
    return heard;
  }

  /** Sends one request. */
  async ask(wish: Wish): Promise<Heard> {
    const { random } = this.#world;
    const attempt: Attempt = { wish, requestId: requestIdFrom(random.bytes(REQUEST_ID_BYTES)), heard: null };
    this.attempts.push(attempt);
    const input = { ...wish.input, ...wish.prepare?.() };
    const gateways = this.#world.gateways.filter(({ host }) => host.alive);
    const heard: Heard =
      gateways.length === 0 ? { kind: 'unknown' } : await send(random.pick(gateways), attempt, input);
    attempt.heard = heard;
    this.#onHeard(attempt);
    return heard;
  }

  /** The wishes that may be repeated, and of which the client has never heard anything certain. */
  unknown(): readonly Wish[] {
    const known = new Set(this.attempts.filter(isCertain).map(({ wish }) => wish));
    return [...new Set(this.attempts.map(({ wish }) => wish))].filter(
      (wish) => wish.repeatable && !known.has(wish),
    );
  }
}

function isCertain({ heard }: Attempt): boolean {
  return heard !== null && heard.kind !== 'unknown';
}

async function send(
  { host, submitter }: Gateway,
  { wish, requestId }: Attempt,
  input: JsonObject,
): Promise<Heard> {
  const { topic, aggregate, type, key, actor = CLIENT } = wish;
  const submitted = submitter.send({
    topic,
    key: aggregate,
    type,
    operation: type,
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
