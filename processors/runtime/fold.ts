import type { z } from 'zod';
import type { AuditDetail } from '../../schemas/audit/documents.ts';
import type { CommandOf, CommandSchemas } from '../../schemas/base/command.ts';
import type { Refusal } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandTopicName, TopicName } from '../../topics/catalogue.ts';
import type { BlobAddress, BlobGroup } from '../../topics/ports/blobs.ts';
import type { KeyStatus, LimiterKey } from '../../topics/ports/limiter.ts';
import type { LookupKey } from '../../topics/ports/lookups.ts';
import type { RowKey } from '../../topics/ports/store.ts';

/** The documents of an aggregate's rows by kind. */
export type RowDocuments = Record<string, JsonObject>;

/** What a fold sees of its aggregate: the root and the rows that it said it reads. Documents are never mutated. */
export interface View<Root, Rows extends RowDocuments> {
  /** The product's root document; null before the aggregate exists. */
  readonly root: Root | null;
  /** A row's document, or null when there is none. Throws for a row that `reads` has not named: a bug of the fold. */
  row<Kind extends keyof Rows & string>(kind: Kind, id: string): Rows[Kind] | null;
}

/** The same while rows are still being read. */
export interface PartialView<Root, Rows extends RowDocuments> {
  readonly root: Root | null;
  /** `undefined` while the row has not been read. */
  peek<Kind extends keyof Rows & string>(kind: Kind, id: string): Rows[Kind] | null | undefined;
}

export interface FoldContext {
  /** The aggregate's id: the key of the record. */
  readonly aggregate: string;
  /** Unix milliseconds: the record's append time, never earlier than that of a command folded before (design rule 1). */
  readonly now: number;
  /** Grows by one with each command folded into the aggregate: the version of look-ups and lifecycles it writes. */
  readonly sequence: number;
}

/** A command to another aggregate, or a work item (design rules 6 to 8). Its key derives from the command folded. */
export interface CommandEffect {
  readonly kind: 'command';
  readonly topic: TopicName;
  readonly key: string;
  readonly type: string;
  readonly input: JsonObject;
  /** True where this command's fold decides and answers the waiting client; at most one effect of a result. */
  readonly answers?: true;
}

/** A pointer to write; the command's sequence number is its version. */
export interface LookupEffect extends LookupKey {
  readonly target: JsonObject | null;
  readonly expiresAt: number | null;
}

/** What the limiter has to know of an API key; the command's sequence number is its version. */
export interface LimiterStatusEffect {
  readonly kind: 'limiter-status';
  readonly key: LimiterKey;
  readonly status: KeyStatus;
}

/**
 * What has to happen outside of the aggregate. Effects are written with the commit, carried out after it and before the
 * outcome is published, and carried out again after a crash: each is harmless to repeat.
 */
export type Effect =
  | CommandEffect
  | { readonly kind: 'lookup'; readonly lookup: LookupEffect }
  | LimiterStatusEffect
  | { readonly kind: 'remove-blob'; readonly address: BlobAddress }
  | { readonly kind: 'remove-blobs'; readonly group: BlobGroup };

export type RowChange<Rows extends RowDocuments> = {
  [Kind in keyof Rows & string]: { readonly kind: Kind; readonly id: string; readonly document: Rows[Kind] };
}[keyof Rows & string];

/** What a fold decided, as a value. Nothing has happened yet. */
export interface FoldResult<Root, Rows extends RowDocuments> {
  /**
   * `done` with what the answer is made from (no secret, no private value), `refused`, or `deferred` to the effect that
   * `answers`.
   */
  readonly outcome:
    | { readonly kind: 'done'; readonly result: JsonObject }
    | { readonly kind: 'refused'; readonly refusal: Refusal }
    | { readonly kind: 'deferred' };
  /** The new root document; absent: unchanged. */
  readonly root?: Root;
  readonly put?: readonly RowChange<Rows>[];
  readonly remove?: readonly (RowKey & { readonly kind: keyof Rows & string })[];
  readonly effects?: readonly Effect[];
  /**
   * How a `done` outcome is remembered under the command's key: for the life of `entity`; `null` for a time only; or not
   * at all (`false`). Default: `null`. What a client gave a key and is remembered with `null` needs its command's type in
   * `processors/outcome-sweeps.ts`; a follow-up is remembered until its sender has confirmed that it sends it no more
   * (`processors/runtime/follow-up-sweep.ts`). Commands keyed by their request id are never remembered beyond the ring. A
   * `deferred` one is remembered for an entity that the release of what was reserved forgets, so that its key is free again.
   * Of refusals only those of follow-ups are remembered, so that one which comes again is not judged anew.
   * With `listed: false` the fold itself keeps the entity's outcomes, in a row that it writes anyway, and takes them along
   * with `erase`: that saves a row where commands are many.
   */
  readonly remember?: { readonly entity: string; readonly listed?: false } | null | false;
  /** Entities that ceased to exist: the outcomes remembered for them go with this commit. */
  readonly forget?: readonly string[];
  /** Rows of an erased aggregate that go with this commit, whatever their kind: the runtime's own as well. */
  readonly erase?: readonly RowKey[];
  /**
   * What the audit log says beside the ids that the command names, should a person have asked for this: roles, counts and
   * further ids, never a value of a customer. `false`: this was no act of a person's will, and is not in the log.
   */
  readonly audit?: AuditDetail | false;
  /**
   * The organizations in whose logs a person's action is recorded unless it is refused; absent: the one that the person acts
   * for, and only where this fold decides. What concerns an account concerns all organizations of its person.
   */
  readonly recordedIn?: readonly string[];
}

/**
 * The declaration of one product's fold. Everything in it is pure: no clock, no random, no I/O (design rule 1); the same
 * arguments give byte-equal documents.
 */
export interface FoldDefinition<Root, Rows extends RowDocuments, Schemas extends CommandSchemas> {
  readonly topic: CommandTopicName;
  readonly schemas: Schemas;
  readonly rootSchema: z.ZodType<Root>;
  readonly rowSchemas: { readonly [Kind in keyof Rows]: z.ZodType<Rows[Kind]> };
  /** Whether the aggregate was erased: the runtime then keeps nothing of what comes to it. Absent: none ever is. */
  isErased?(root: Root): boolean;
  /**
   * The rows that folding this command takes. Asked again with what has been read, until it names nothing new: rows can
   * lead to rows, {@link READ_ROUNDS_MAX} times at most.
   */
  reads(command: CommandOf<Schemas>, view: PartialView<Root, Rows>): readonly RowKey[];
  fold(view: View<Root, Rows>, command: CommandOf<Schemas>, context: FoldContext): FoldResult<Root, Rows>;
  /**
   * Called instead of the fold when the command's key is remembered with the same input, for commands that are named in
   * `topics/decided-anew.ts`. Null: the stored outcome is the answer. A result replaces it, and nothing is remembered anew
   * unless it says so.
   */
  replay?(
    view: View<Root, Rows>,
    command: CommandOf<Schemas>,
    context: FoldContext,
    stored: JsonObject,
  ): FoldResult<Root, Rows> | null;
}

/** How often `reads` may lead from rows to further rows. */
export const READ_ROUNDS_MAX = 5;

/** Declares a fold; only checks the types. */
export function defineFold<Root, Rows extends RowDocuments, Schemas extends CommandSchemas>(
  definition: FoldDefinition<Root, Rows, Schemas>,
): FoldDefinition<Root, Rows, Schemas> {
  return definition;
}

/** A fold with its types erased, as the runtime handles all of them alike. */
export type AnyFold = FoldDefinition<JsonObject, RowDocuments, CommandSchemas>;

/** Erases a fold's types. Sound because the runtime gives it only what its own schemas have parsed. */
export function anyFold<Root, Rows extends RowDocuments, Schemas extends CommandSchemas>(
  fold: FoldDefinition<Root, Rows, Schemas>,
): AnyFold {
  return fold as unknown as AnyFold;
}

/** A result that changes nothing. */
export function refused(refusal: Refusal): { outcome: { kind: 'refused'; refusal: Refusal } } {
  return { outcome: { kind: 'refused', refusal } };
}
