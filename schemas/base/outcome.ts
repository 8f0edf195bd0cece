import { z } from 'zod';
import { refusalSchema } from './errors.ts';
import { requestIdSchema } from './ids.ts';
import { type JsonObject, jsonObjectSchema } from './json.ts';
import { readStored } from './stored.ts';

/** The place where the outcome of a command is stored: an aggregate, and the operation and key within it. */
const outcomePlaceSchema = z.strictObject({
  table: z.string(),
  aggregate: z.string(),
  operation: z.string(),
  key: z.string(),
});

export type OutcomePlace = z.infer<typeof outcomePlaceSchema>;

/**
 * The decision of a fold about a command.
 *
 * - `done`: the change holds. `result` has the data of the route's answer, and no secret or private value.
 * - `refused`: nothing changed.
 * - `deferred`: a follow-up to another aggregate decides and answers
 *   (infra/docs/decisions/0009-follow-ups-with-reservation.md). `at` is the place of its outcome.
 */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), result: jsonObjectSchema }),
  z.strictObject({ kind: z.literal('refused'), refusal: refusalSchema }),
  z.strictObject({ kind: z.literal('deferred'), at: outcomePlaceSchema }),
]);

export type Outcome = z.infer<typeof outcomeSchema>;

/** A message on the reply channel, to the gateway that waits for a request. */
export const replySchema = z.strictObject({ requestId: requestIdSchema, outcome: outcomeSchema });

export type Reply = z.infer<typeof replySchema>;

/** Row kinds that the runtime itself keeps in every aggregate; no product may use these names. */
export const RUNTIME_KINDS = {
  outcome: 'outcome',
  entityKeys: 'entity-keys',
  recent: 'recent',
  pending: 'pending',
} as const;

/**
 * The id of the `pending` row that came with an outcome, absent where it asked for nothing. While that row is there, what
 * the outcome promises may still have to be done.
 */
const pendingIdSchema = z.string().optional();

const rememberedFields = {
  /**
   * The entity that the command made or changed; its erasure removes this row. Null: the row is forgotten after a
   * time if a client gave the key (`processors/runtime/sweeps/outcome-sweep.ts`). For a follow-up, it is forgotten once its
   * sender has confirmed that it will not send it again (`processors/runtime/sweeps/follow-up-sweep.ts`).
   */
  entity: z.string().nullable(),
  at: z.int(),
  pending: pendingIdSchema,
};

export type StoredOutcome = z.infer<z.ZodObject<typeof rememberedFields>> & {
  /** SHA-256 in hex. */
  readonly inputDigest: string;
  readonly outcome: Outcome;
};

/** The fields of every stored row; one field more is named by the kind of the outcome. */
const rowFields = { ...rememberedFields, input: z.base64url().length(43) };

type RowFields = z.infer<z.ZodObject<typeof rowFields>>;

function remembered({ input, ...row }: RowFields, outcome: Outcome): StoredOutcome {
  return { ...row, inputDigest: Buffer.from(input, 'base64url').toString('hex'), outcome };
}

/** Reads a remembered outcome: row kind `outcome`, id by {@link outcomeRowId}. {@link outcomeDocument} writes it. */
export const storedOutcomeSchema = z.union([
  z
    .strictObject({ ...rowFields, done: jsonObjectSchema })
    .transform(({ done, ...row }) => remembered(row, { kind: 'done', result: done })),
  z
    .strictObject({ ...rowFields, refused: refusalSchema })
    .transform(({ refused, ...row }) => remembered(row, { kind: 'refused', refusal: refused })),
  z
    .strictObject({ ...rowFields, deferred: outcomePlaceSchema })
    .transform(({ deferred, ...row }) => remembered(row, { kind: 'deferred', at: deferred })),
]);

/**
 * The stored form of a remembered outcome. Nearly every command stores one for good, and its size is a large part of
 * a command's cost in the store. So the digest is in base64url, and the name of the outcome's kind is the name of its
 * member.
 */
export function outcomeDocument({ inputDigest, outcome, ...row }: StoredOutcome): JsonObject {
  return { input: Buffer.from(inputDigest, 'hex').toString('base64url'), ...row, ...decidedField(outcome) };
}

function decidedField(outcome: Outcome): JsonObject {
  switch (outcome.kind) {
    case 'done':
      return { done: outcome.result };
    case 'refused':
      return { refused: outcome.refusal };
    case 'deferred':
      return { deferred: outcome.at };
  }
}

/** An outcome that only a waiter may still ask for: row kind `recent`, one of a fixed number of slots. */
export const recentOutcomeSchema = z.strictObject({
  requestId: requestIdSchema,
  outcome: outcomeSchema,
  pending: pendingIdSchema,
});

export type RecentOutcome = z.infer<typeof recentOutcomeSchema>;

/** An outcome as a row of its aggregate holds it. */
export type FoundOutcome = Pick<StoredOutcome, 'outcome' | 'pending'>;

/** The number of latest outcomes that an aggregate keeps for waiters. */
export const RECENT_OUTCOMES_MAX = 64;

/** The id of the row that remembers an outcome. Operation names hold no `:`, so the pair is unambiguous. */
export function outcomeRowId(operation: string, key: string): string {
  return `${operation}:${key}`;
}

/** The rows of the ring: all slots, so that a search for a request id reads a fixed set of rows. */
export const RECENT_ROWS = Array.from({ length: RECENT_OUTCOMES_MAX }, (_, slot) => ({
  kind: RUNTIME_KINDS.recent,
  id: String(slot).padStart(2, '0'),
}));

/** The name of a command's outcome in its aggregate. */
export interface OutcomeKey {
  readonly requestId: string;
  readonly operation: string;
  readonly key: string;
  /** Null where the key alone names one command. */
  readonly inputDigest: string | null;
}

/** The rows in which a command's outcome may be. */
export interface OutcomeRows {
  /** The filled slots of the ring. */
  readonly recent: readonly RecentOutcome[];
  /** The row that remembers the outcome of the command's operation and key. */
  readonly stored: StoredOutcome | null;
}

/**
 * Parses the rows of an aggregate that {@link findOutcome} needs: the ring and at most one remembered outcome. A slot that
 * cannot be read, as one of a newer release, is no other waiter's concern.
 *
 * @throws {z.ZodError} if the remembered outcome cannot be read
 */
export function parseOutcomeRows(
  rows: readonly { readonly kind: string; readonly document: JsonObject }[],
): OutcomeRows {
  const documents = (kind: string) => rows.filter((row) => row.kind === kind).map(({ document }) => document);
  const [stored] = documents(RUNTIME_KINDS.outcome);
  return {
    recent: documents(RUNTIME_KINDS.recent).flatMap((document) => readableSlot(document) ?? []),
    stored: stored === undefined ? null : readStored(storedOutcomeSchema, stored),
  };
}

function readableSlot(document: JsonObject): RecentOutcome | null {
  try {
    return readStored(recentOutcomeSchema, document);
  } catch (error) {
    if (error instanceof z.ZodError) return null;
    throw error;
  }
}

/** An outcome that was found, and whether this very request is known to have met it. */
export type FoundFor = FoundOutcome & {
  /**
   * The way in which the outcome was found. An outcome found by its key may belong to an earlier request while this request is not
   * folded yet.
   */
  readonly by: 'request' | 'key';
};

/**
 * Finds a command's outcome among the rows of its aggregate. The ring's outcome for the request comes first, unless
 * it only says where the outcome is decided. Otherwise it is the outcome remembered under the key with the same
 * input. Returns null if neither exists: the command is unknown, or not folded yet. An outcome of the ring that
 * repeats a remembered one waits for the same pending row, because its effects may not be carried out yet.
 */
export function findOutcome(wanted: OutcomeKey, rows: OutcomeRows): FoundFor | null {
  const recent = rows.recent.find(({ requestId }) => requestId === wanted.requestId) ?? null;
  const { stored } = rows;
  const isSame = stored !== null && stored.inputDigest === (wanted.inputDigest ?? stored.inputDigest);
  if (recent === null) return isSame ? { ...stored, by: 'key' } : null;
  if (!isSame) return { ...recent, by: 'request' };
  if (recent.outcome.kind === 'deferred') return { ...stored, by: 'request' };
  const pending = recent.pending ?? stored.pending;
  return { outcome: recent.outcome, ...(pending === undefined ? {} : { pending }), by: 'request' };
}
