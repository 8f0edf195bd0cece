// Reads: outcomes in the store, replies. Writes: command topics.

import type { CommandTable, Envelope } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { type Fault, ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import {
  type FoundOutcome,
  findOutcome,
  type Outcome,
  type OutcomePlace,
  outcomeRowId,
  parseOutcomeRows,
  RECENT_ROWS,
  type Reply,
  RUNTIME_KINDS,
} from '../../../schemas/base/outcome.ts';
import { Shares } from '../../../schemas/base/shares.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { decidesRepeats, TABLES, type TableName, TOPICS } from '../../../topics/catalogue.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Log } from '../../../topics/ports/log.ts';
import type { Replies, ReplyListener } from '../../../topics/ports/replies.ts';
import type { AggregateRef, Store } from '../../../topics/ports/store.ts';
import { NO_SPAN, type Span, traceMember } from '../../../topics/ports/tracer.ts';
import type { Sending, Submit, UntypedCommand } from '../../services.ts';

/** The time that a client waits for an outcome before the answer is 503. It includes the append of its command. */
const OUTCOME_DEADLINE_MS = 10_000;

/** The last read of the store starts this long before the deadline. */
const LAST_READ_MS = 500;

/**
 * Pauses between reads of the store while the reply channel is down: they double
 * (infra/docs/decisions/0026-replies-are-hints.md).
 */
const READ_PAUSE_MS_FIRST = 50;
const READ_PAUSE_MS_MAX = 1_000;

/** Pieces of commands whose outcome a gateway waits for at the same time. Each caller has its share. */
const IN_FLIGHT_MAX = 4_000;

/** Characters of a command that count as one piece; a part of them counts as one, too. */
const PIECE_CHARACTERS = 16 * 1_024;

const RETRY_AFTER_SECONDS = 1;

const SHARE_FULL: Fault = {
  at: 'request.rate',
  seen: 'more requests that wait for their outcome than the share of one caller',
  expected: 'fewer at the same time',
};

export interface SubmitterOptions {
  readonly log: Pick<Log, 'append'>;
  readonly store: Pick<Store, 'read'>;
  readonly replies: Replies;
  readonly clock: Clock;
  /** The clock that stamps records, as well as it is known; the local clock by default. */
  readonly logClock?: Clock;
  /** This gateway's own reply address. */
  readonly address: string;
  readonly deadlineMs?: number;
  readonly inFlightMax?: number;
}

/** Sends commands and waits for their outcomes. */
export interface Submitter {
  readonly submit: Submit;
  /** Like `submit`, for a command of any type. Neither input nor result is checked against the topic's table. */
  readonly send: Send;
  /** Rejects all pending submissions with `unavailable` (503), and stops listening. */
  close(): Promise<void>;
}

type Request = UntypedCommand & Sending;
type Send = (request: Request) => Promise<JsonObject>;

/** Parses inputs and results with the schemas of their topics: what is written strictly, what is read loosely. */
function typed(send: Send): Submit {
  return async (request) => {
    const commands: CommandTable = TOPICS[request.topic].records;
    const declared = commands[request.type];
    if (declared === undefined) throw new Error(`submitting a command of the unknown type ${request.type}`);
    declared.input.parse(request.input);
    return readStored(declared.result, await send(request as Request)) as Awaited<ReturnType<Submit>>;
  };
}

/** Opens the reply channel. Resolves once it delivers replies. */
export async function openSubmitter(options: SubmitterOptions): Promise<Submitter> {
  const waiting = new Map<string, Waiter>();
  const listener = await options.replies.listen(options.address, {
    onReply: (reply: Reply) => waiting.get(reply.requestId)?.receive(reply.outcome),
    onReconnect: () => {
      for (const waiter of waiting.values()) waiter.readStore();
    },
  });
  const inFlight = new Shares(options.inFlightMax ?? IN_FLIGHT_MAX);
  const watch = new ChannelWatch(listener, waiting);

  const send: Send = async (request) => {
    const span = spanOf(request);
    const envelope = envelopeOf(request, options, span);
    const value = JSON.stringify(envelope);
    const giveBack = takeShare(inFlight, request.holder ?? request.key, value);
    const waiter = new Waiter(envelope, request, options);
    waiting.set(request.requestId, waiter);
    watch.start();
    try {
      // The deadline counts from here: an append that takes long leaves less time for the outcome.
      const outcome = waiter.outcome();
      const record = { topic: request.topic, key: request.key, value };
      await Promise.race([options.log.append([record]), outcome]);
      return resultOf(await outcome);
    } catch (error) {
      if (error instanceof EngineUnavailableError) throw outcomeUnknown(error);
      throw error;
    } finally {
      span.end();
      waiter.stop();
      waiting.delete(request.requestId);
      giveBack();
    }
  };
  return {
    submit: typed(send),
    send,
    async close() {
      for (const waiter of waiting.values()) waiter.giveUp();
      await listener.close();
    },
  };
}

/**
 * Takes a command's share of what is in flight. Returns the function that gives it back.
 *
 * @throws {ServiceError} `rate_limited` beyond the holder's share, `unavailable` if other holders have everything
 */
function takeShare(inFlight: Shares, holder: string, value: string): () => void {
  const pieces = Math.ceil(value.length / PIECE_CHARACTERS);
  switch (inFlight.take(holder, pieces)) {
    case 'taken':
      return () => inFlight.giveBack(holder, pieces);
    case 'share-full':
      throw serviceError('rate_limited', SHARE_FULL, RETRY_AFTER_SECONDS);
    case 'full':
      throw unavailable('Too many requests wait for their outcome.');
  }
}

/** The span of a command until its outcome is known. */
function spanOf({ span = NO_SPAN, topic, type }: Request): Span {
  if (span === NO_SPAN) return span;
  return span.child(`submit ${topic}`, 'producer', {
    'messaging.operation.type': 'send',
    'messaging.destination.name': topic,
    'svc.command': type,
  });
}

function envelopeOf(request: Request, options: SubmitterOptions, span: Span): Envelope {
  const now = options.clock.now();
  return {
    envelope: 1,
    type: request.type,
    operation: request.operation,
    key: request.idempotencyKey ?? request.requestId,
    keyFrom: request.idempotencyKey === null ? 'request' : 'client',
    inputDigest: digestOf(request.digestInput),
    requestId: request.requestId,
    replyTo: options.address,
    // In the log's time, because it is compared with the log's stamp: a wrong local clock refuses nothing.
    notAfter: (options.logClock ?? options.clock).now() + (options.deadlineMs ?? OUTCOME_DEADLINE_MS),
    issuedAt: now,
    actor: request.actor,
    ...traceMember(span),
    input: request.input,
  };
}

function resultOf(outcome: Outcome): JsonObject {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'refused':
      throw new ServiceError(outcome.refusal);
    case 'deferred':
      throw outcomeUnknown();
  }
}

/** The refusal of a request whose outcome may still come. @param cause why it is not known, for the log */
export function outcomeUnknown(cause?: unknown): ServiceError {
  return unavailable('The outcome is not known.', cause);
}

function unavailable(message: string, cause?: unknown): ServiceError {
  const { refusal } = serviceError(
    'unavailable',
    `${message} Send the same request again.`,
    RETRY_AFTER_SECONDS,
  );
  return new ServiceError(refusal, { cause });
}

/**
 * Makes all waiters read the store while no replies arrive, with growing pauses
 * (infra/docs/decisions/0026-replies-are-hints.md).
 */
class ChannelWatch {
  readonly #listener: ReplyListener;
  readonly #waiting: ReadonlyMap<string, Waiter>;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = READ_PAUSE_MS_FIRST;

  constructor(listener: ReplyListener, waiting: ReadonlyMap<string, Waiter>) {
    this.#listener = listener;
    this.#waiting = waiting;
  }

  /** Starts to watch, until the last waiter ends. */
  start(): void {
    this.#timer ??= setTimeout(() => this.#tick(), this.#pauseMs);
  }

  #tick(): void {
    this.#timer = null;
    if (this.#listener.connected()) {
      this.#pauseMs = READ_PAUSE_MS_FIRST;
    } else {
      this.#pauseMs = Math.min(READ_PAUSE_MS_MAX, this.#pauseMs * 2);
      for (const waiter of this.#waiting.values()) waiter.readStore();
    }
    if (this.#waiting.size > 0) this.start();
  }
}

/**
 * Waits for the outcome of one command: receives the reply, and reads the store on demand and just before the deadline
 * (infra/docs/decisions/0026-replies-are-hints.md).
 */
class Waiter {
  readonly #envelope: Envelope;
  readonly #options: SubmitterOptions;
  readonly #result = Promise.withResolvers<Outcome>();
  readonly #deadlineMs: number;
  /** The place that the command is sent to. */
  readonly #home: OutcomePlace;
  /** True if an earlier answer under the same key may be out of date. */
  readonly #decidesRepeats: boolean;
  /** The place of the outcome. It moves when a follow-up to another aggregate decides. */
  #place: OutcomePlace;
  /** True if the place comes from this request, and not from an earlier one with its key. */
  #isOwnPlace = false;
  #timer: NodeJS.Timeout | null = null;
  #isReading = false;
  /** Why the latest read of the store failed, for the log. */
  #readError: unknown;

  constructor(envelope: Envelope, request: Request, options: SubmitterOptions) {
    this.#envelope = envelope;
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? OUTCOME_DEADLINE_MS;
    const { operation, key } = envelope;
    this.#home = { table: TOPICS[request.topic].table, aggregate: request.key, operation, key };
    this.#decidesRepeats = decidesRepeats(request.topic, request.type);
    this.#place = this.#home;
    this.#result.promise.catch(() => undefined);
  }

  /** Resolves with the outcome. @throws {ServiceError} `unavailable` at the deadline */
  outcome(): Promise<Outcome> {
    const lastReadMs = Math.min(LAST_READ_MS, this.#deadlineMs / 2);
    this.#timer = setTimeout(() => {
      this.readStore();
      this.#timer = setTimeout(() => this.giveUp(), lastReadMs);
    }, this.#deadlineMs - lastReadMs);
    return this.#result.promise;
  }

  /** Receives the outcome of this very request from the reply channel. */
  receive(outcome: Outcome): void {
    this.#accept(outcome, true);
  }

  /**
   * Accepts an outcome, unless it only answers an earlier request with this key: after a refusal, and for a command that
   * decides repeats, this request is decided again. A store read that began earlier must not move the waiter off the
   * place that its own reply named.
   */
  #accept(outcome: Outcome, isOwn: boolean): void {
    const isAnswer = isOwn || (outcome.kind === 'done' && !this.#decidesRepeats);
    if (isAnswer && outcome.kind !== 'deferred') {
      this.#result.resolve(outcome);
      return;
    }
    if (isOwn || !this.#isOwnPlace) {
      this.#isOwnPlace = isOwn;
      this.#place = outcome.kind === 'deferred' ? outcome.at : this.#home;
    }
    if (outcome.kind === 'deferred') this.readStore();
  }

  /** Starts to read the outcome from the store, unless a read is under way. */
  readStore(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#read()
      .then((found) => {
        this.#isReading = false;
        this.#readError = undefined;
        if (found !== null) this.#accept(found.outcome, found.isOwn);
      })
      .catch((error: unknown) => {
        // The store is down as well: the next read, or the deadline, decides.
        this.#isReading = false;
        this.#readError = error;
      });
  }

  giveUp(): void {
    this.#result.reject(outcomeUnknown(this.#readError));
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #read(): Promise<{ readonly outcome: Outcome; readonly isOwn: boolean } | null> {
    const place = this.#place;
    const isOwnPlace = this.#isOwnPlace;
    const table = TABLES.find((name: TableName) => name === place.table);
    if (table === undefined) throw new Error(`looking for an outcome in the unknown table ${place.table}`);
    const aggregate = { table, id: place.aggregate };
    const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(place.operation, place.key) };
    const { rows } = await this.#options.store.read(aggregate, [row, ...RECENT_ROWS]);
    const { requestId } = this.#envelope;
    const found = findOutcome(
      { requestId, operation: place.operation, key: place.key, inputDigest: this.#inputDigestAt(place) },
      parseOutcomeRows(rows),
    );
    if (found === null || (await this.#isPending(aggregate, found))) return null;
    return { outcome: found.outcome, isOwn: isOwnPlace || found.by === 'request' };
  }

  /**
   * True if an effect that the outcome promises, such as a session's index entry, may still be pending. The caller
   * must not be answered before it is done (infra/docs/decisions/0009-follow-ups-with-reservation.md). Its reply
   * arrives afterwards, and the row is deleted soon.
   */
  async #isPending(aggregate: AggregateRef, { pending }: FoundOutcome): Promise<boolean> {
    if (pending === undefined) return false;
    const { rows } = await this.#options.store.read(aggregate, [
      { kind: RUNTIME_KINDS.pending, id: pending },
    ]);
    return rows.length > 0;
  }

  /** Returns null for a follow-up: its input and digest differ, and its derived key already names exactly one command. */
  #inputDigestAt(place: OutcomePlace): string | null {
    return place.key === this.#envelope.key && place.operation === this.#envelope.operation
      ? this.#envelope.inputDigest
      : null;
  }
}
