import type { z } from 'zod';
import type { AuditDetail } from '../../schemas/audit/documents.ts';
import type {
  Actor,
  Command,
  CommandTable,
  CommandType,
  InputOf,
  ResultOf,
} from '../../schemas/base/command.ts';
import type { Refusal } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { CommandTopicName, TopicName } from '../../topics/catalogue.ts';
import type { BlobAddress, BlobGroup } from '../../topics/ports/blobs.ts';
import type { KeyStatus, LimiterKey } from '../../topics/ports/limiter.ts';
import type { LookupKey } from '../../topics/ports/lookups.ts';
import type { RowKey } from '../../topics/ports/store.ts';

/** The documents of an aggregate's rows by kind. */
export type RowDocuments = Record<string, JsonObject>;

/** The types that one product's fold is written in. */
export interface FoldTypes {
  readonly commands: CommandTable;
  /** The root document as handlers see it: with `null` for an aggregate without one, unless the fold has an `emptyRoot`. */
  readonly root: JsonObject | null;
  readonly rows: RowDocuments;
}

type TypeOf<Types extends FoldTypes> = CommandType<Types['commands']>;

/** What is known of an aggregate while its rows are still being read. */
export interface PartialView<Root, Rows extends RowDocuments> {
  /** Null before the aggregate exists, and while its root has not been read. */
  readonly root: Root | null;
  /** `undefined` while the row has not been read. */
  peek<Kind extends keyof Rows & string>(kind: Kind, id: string): Rows[Kind] | null | undefined;
}

/** Everything that folding one command may look at. Documents are never mutated. */
export interface Scope<Types extends FoldTypes, Type extends TypeOf<Types> = TypeOf<Types>> {
  /** The product's root document, or the fold's `emptyRoot` before the aggregate exists. */
  readonly root: Types['root'];
  /** A row's document, or null when there is none. Throws for a row that `reads` has not named: a bug of the fold. */
  row<Kind extends keyof Types['rows'] & string>(kind: Kind, id: string): Types['rows'][Kind] | null;
  readonly input: InputOf<Types['commands'], Type>;
  /** Who asked for it. */
  readonly actor: Actor;
  /** The command's envelope: its operation and key name the outcome. */
  readonly envelope: Omit<Command<Type>, 'input' | 'actor'>;
  readonly context: FoldContext;
  readonly limits: Limits;
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

/** What a handler decided, as a value. Nothing has happened yet. */
export interface FoldResult<Types extends FoldTypes, Type extends TypeOf<Types> = TypeOf<Types>> {
  /**
   * `done` with what the answer is made from (no secret, no private value), `refused`, or `deferred` to the effect that
   * `answers`.
   */
  readonly outcome:
    | { readonly kind: 'done'; readonly result: ResultOf<Types['commands'], Type> }
    | { readonly kind: 'refused'; readonly refusal: Refusal }
    | { readonly kind: 'deferred' };
  /** The new root document; absent: unchanged. */
  readonly root?: NonNullable<Types['root']>;
  readonly put?: readonly RowChange<Types['rows']>[];
  readonly remove?: readonly (RowKey & { readonly kind: keyof Types['rows'] & string })[];
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

interface Handling<Types extends FoldTypes, Type extends TypeOf<Types>> {
  /**
   * Names the rows that folding this command takes; absent: none. Called again with what has been read, until it names
   * nothing new: rows can lead to rows, {@link READ_ROUNDS_MAX} times at most.
   */
  reads?(
    command: Command<Type, InputOf<Types['commands'], Type>>,
    view: PartialView<NonNullable<Types['root']>, Types['rows']>,
  ): readonly RowKey[];
  fold(scope: Scope<Types, Type>): FoldResult<Types, Type>;
}

interface Replaying<Types extends FoldTypes, Type extends TypeOf<Types>> {
  /**
   * Called instead of `fold` when the command's key is remembered with the same input. Null: the stored outcome is the
   * answer. A result replaces it, and nothing is remembered again unless it says so.
   */
  replay(
    scope: Scope<Types, Type>,
    stored: ResultOf<Types['commands'], Type>,
  ): FoldResult<Types, Type> | null;
}

/**
 * How one type of command is folded. Everything in it is pure: no clock, no random, no I/O; the same arguments give
 * byte-equal documents. Exactly the commands that are declared with `decidedAnew` have a `replay`.
 */
export type CommandHandler<Types extends FoldTypes, Type extends TypeOf<Types>> = Handling<Types, Type> &
  (Types['commands'][Type] extends { readonly decidedAnew: true }
    ? Replaying<Types, Type>
    : { readonly replay?: never });

/** The handlers of all commands of a fold by type. */
export type CommandHandlers<Types extends FoldTypes> = {
  readonly [Type in TypeOf<Types>]: CommandHandler<Types, Type>;
};

/** The declaration of one product's fold. */
export type FoldDefinition<Types extends FoldTypes> = {
  readonly topic: CommandTopicName;
  readonly commands: Types['commands'];
  readonly rootSchema: z.ZodType<NonNullable<Types['root']>>;
  readonly rowSchemas: { readonly [Kind in keyof Types['rows']]: z.ZodType<Types['rows'][Kind]> };
  readonly limits: Limits;
  /** Whether the aggregate was erased: the runtime then keeps nothing of what comes to it. Absent: none ever is. */
  isErased?(root: NonNullable<Types['root']>): boolean;
  readonly handlers: CommandHandlers<Types>;
} & EmptyRoot<Types['root']>;

/** The root that handlers see of an aggregate that does not exist yet; absent: null. */
type EmptyRoot<Root> = null extends Root ? { readonly emptyRoot?: never } : { readonly emptyRoot: Root };

/** How often `reads` may lead from rows to further rows. */
export const READ_ROUNDS_MAX = 5;

export type AnyScope = Scope<FoldTypes>;
export type AnyResult = FoldResult<FoldTypes>;

/** A handler with its types erased. */
export interface AnyHandler {
  reads?(command: Command, view: PartialView<JsonObject, RowDocuments>): readonly RowKey[];
  fold(scope: AnyScope): AnyResult;
  replay?(scope: AnyScope, stored: JsonObject): AnyResult | null;
}

/** A fold with its types erased, as the runtime handles all of them alike. */
export interface AnyFold {
  readonly topic: CommandTopicName;
  readonly commands: CommandTable;
  readonly rootSchema: z.ZodType<JsonObject>;
  readonly rowSchemas: Readonly<Record<string, z.ZodType<JsonObject>>>;
  readonly limits: Limits;
  isErased?(root: JsonObject): boolean;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly emptyRoot?: JsonObject;
}

/** Declares a fold and erases its types: the runtime gives handlers only what the fold's own schemas have parsed. */
export function defineFold<Types extends FoldTypes>(definition: FoldDefinition<Types>): AnyFold {
  return definition as unknown as AnyFold;
}

/** The root document and rows of an aggregate as they are stored. */
export type AnyView = Pick<AnyScope, 'root' | 'row'>;

/** What a handler of the fold sees of an aggregate and a command. */
export function scopeOf(
  { emptyRoot, limits }: AnyFold,
  { root, row }: AnyView,
  command: Command,
  context: FoldContext,
): AnyScope {
  const { input, actor } = command;
  return { root: root ?? emptyRoot ?? null, row, input, actor, envelope: command, context, limits };
}

/** The handler of a command. @throws {Error} for a type that the fold does not know. */
export function handlerOf({ handlers }: AnyFold, { type }: Pick<Command, 'type'>): AnyHandler {
  const handler = handlers[type];
  if (handler === undefined) throw new Error(`folding a command of the unknown type ${type}`);
  return handler;
}

/** The types of a handler that the runtime adds to every fold. */
export interface RuntimeTypes<Commands extends CommandTable> extends FoldTypes {
  readonly commands: Commands;
}

/** Commands that the runtime adds to every fold. */
export type RuntimeCommands = Pick<AnyFold, 'commands' | 'handlers'>;

/** Declares commands that the runtime adds to every fold, with their handlers, and erases their types. */
export function defineRuntimeCommands<Commands extends CommandTable>(
  commands: Commands,
  handlers: CommandHandlers<RuntimeTypes<Commands>>,
): RuntimeCommands {
  return { commands, handlers: handlers as unknown as RuntimeCommands['handlers'] };
}
