import type { z } from 'zod';
import type { AuditDetail } from '../../../schemas/audit/documents.ts';
import type {
  Actor,
  Command,
  CommandTable,
  CommandType,
  Envelope,
  InputOf,
  ResultOf,
} from '../../../schemas/base/command.ts';
import type { Refusal } from '../../../schemas/base/errors.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { CommandTopicName, TopicName } from '../../../topics/catalogue.ts';
import type { BlobAddress, BlobGroup } from '../../../topics/ports/blobs.ts';
import type { IndexKey } from '../../../topics/ports/digest-index.ts';
import type { KeyStatus, LimiterKey } from '../../../topics/ports/limiter.ts';
import type { RowKey } from '../../../topics/ports/store.ts';

/** The documents of an aggregate's rows by kind. */
export type RowDocuments = Record<string, JsonObject>;

/** The types of one product's fold. */
export interface FoldTypes {
  readonly commands: CommandTable;
  /** The root document of handlers: `null` for an aggregate without one, unless the fold has an `emptyRoot`. */
  readonly root: JsonObject | null;
  readonly rows: RowDocuments;
}

type TypeOf<Types extends FoldTypes> = CommandType<Types['commands']>;

/** The part of an aggregate that has been read so far. */
export interface PartialView<Root, Rows extends RowDocuments> {
  /** Null before the aggregate exists, and while its root has not been read. */
  readonly root: Root | null;
  /** `undefined` while the row has not been read. */
  peek<Kind extends keyof Rows & string>(kind: Kind, id: string): Rows[Kind] | null | undefined;
}

/** The input of a handler that folds one command. Documents are never mutated. */
export interface Scope<Types extends FoldTypes, Type extends TypeOf<Types> = TypeOf<Types>> {
  /** The product's root document, or the fold's `emptyRoot` before the aggregate exists. */
  readonly root: Types['root'];
  /**
   * Returns a row's document, or null if there is none. Throws for a row that `reads` has not named: a bug of the
   * fold.
   */
  row<Kind extends keyof Types['rows'] & string>(kind: Kind, id: string): Types['rows'][Kind] | null;
  /** Returns the readable members of a row that exists and cannot be read; null for any other row. */
  salvaged<Kind extends keyof Types['rows'] & string>(
    kind: Kind,
    id: string,
  ): Partial<Types['rows'][Kind]> | null;
  readonly input: InputOf<Types['commands'], Type>;
  /** The caller who sent the command. */
  readonly actor: Actor;
  /** The command's envelope: its operation and key name the outcome. */
  readonly envelope: Omit<Command<Type>, 'input' | 'actor'>;
  readonly context: FoldContext;
  readonly limits: Limits;
}

export interface FoldContext {
  /** The aggregate's id: the key of the record. */
  readonly aggregate: string;
  /**
   * Unix milliseconds: the record's append time, never earlier than that of a command folded before
   * (infra/docs/decisions/0006-clocks.md).
   */
  readonly now: number;
  /**
   * The number of commands folded into the aggregate, this one included: the version of its index entries and
   * lifecycles.
   */
  readonly sequence: number;
}

/**
 * A command to another aggregate, or a work item (ARCHITECTURE.md, rules 6 to 8). Its key derives from the folded
 * command.
 */
export interface CommandEffect {
  readonly kind: 'command';
  readonly topic: TopicName;
  readonly key: string;
  readonly type: string;
  readonly input: JsonObject;
  /** True if this command's fold decides and answers the waiting client; for at most one effect of a result. */
  readonly answers?: true;
}

/** A command or a work item that is sent again, with the key and the actor that it had. */
export interface RecordEffect {
  readonly kind: 'record';
  readonly topic: TopicName;
  readonly key: string;
  readonly envelope: Envelope;
}

/** An index entry to write; the command's sequence number is its version. */
export interface IndexEffect extends IndexKey {
  readonly target: JsonObject | null;
  readonly expiresAt: number | null;
}

/** The status of an API key for the limiter; the command's sequence number is its version. */
export interface LimiterStatusEffect {
  readonly kind: 'limiter-status';
  readonly key: LimiterKey;
  readonly status: KeyStatus;
  /** Unix milliseconds at which the key ends; absent for a key without an end. */
  readonly expiresAt?: number;
}

/**
 * An effect outside of the aggregate. Effects are stored with the commit, carried out before the outcome is
 * published, and carried out again after a crash: a repetition has to be harmless.
 */
export type Effect =
  | CommandEffect
  | RecordEffect
  | { readonly kind: 'index'; readonly entry: IndexEffect }
  | LimiterStatusEffect
  | { readonly kind: 'remove-blob'; readonly address: BlobAddress }
  | { readonly kind: 'remove-blobs'; readonly group: BlobGroup };

export type RowChange<Rows extends RowDocuments> = {
  [Kind in keyof Rows & string]: { readonly kind: Kind; readonly id: string; readonly document: Rows[Kind] };
}[keyof Rows & string];

/** The decision of a handler, as a value without side effects. */
export interface FoldResult<Types extends FoldTypes, Type extends TypeOf<Types> = TypeOf<Types>> {
  /**
   * `done` with the data of the answer (no secret, no private value), `refused`, or `deferred` to the effect that
   * `answers`.
   */
  readonly outcome:
    | { readonly kind: 'done'; readonly result: ResultOf<Types['commands'], Type> }
    | { readonly kind: 'refused'; readonly refusal: Refusal }
    | { readonly kind: 'deferred' };
  /** The new root document; unchanged if absent. */
  readonly root?: NonNullable<Types['root']>;
  readonly put?: readonly RowChange<Types['rows']>[];
  readonly remove?: readonly (RowKey & { readonly kind: keyof Types['rows'] & string })[];
  readonly effects?: readonly Effect[];
  /**
   * The lifetime of a `done` outcome under the command's key: that of `entity`; `null` for a limited time; `false`
   * for none. Default: `null`.
   *
   * A client's command remembered with `null` needs its type in `processors/outcome-sweeps.ts`. A follow-up is
   * remembered until its sender has confirmed that it will not send it again
   * (`processors/runtime/sweeps/follow-up-sweep.ts`). Commands keyed by their request id are never remembered beyond the
   * ring. A `deferred` outcome is remembered for an entity that the release of the reservation forgets, which frees
   * its key. Only refusals of follow-ups are remembered, so that a repeated follow-up is not decided again.
   *
   * With `listed: false` the fold keeps the entity's outcomes in a row that it writes anyway, and removes them with
   * `erase`: that saves a row for frequent commands.
   */
  readonly remember?: { readonly entity: string; readonly listed?: false } | null | false;
  /** Entities that ceased to exist: this commit removes their remembered outcomes. */
  readonly forget?: readonly string[];
  /** Rows of an erased aggregate that this commit removes, of any kind: also the runtime's own. */
  readonly erase?: readonly RowKey[];
  /**
   * Details for the audit log beside the ids that the command names, if a person sent it: roles, counts and further
   * ids, never a value of a customer. `false`: not an action of a person, and not in the log.
   */
  readonly audit?: AuditDetail | false;
  /**
   * The organizations in whose logs a person's action is recorded unless it is refused. Absent: the one that the
   * person acts for, and only if this fold decides. An action on an account concerns all organizations of its person.
   */
  readonly recordedIn?: readonly string[];
}

interface Handling<Types extends FoldTypes, Type extends TypeOf<Types>> {
  /**
   * Names the rows that folding this command needs; absent: none. Called again with the rows read so far until it
   * names no further ones, {@link READ_ROUNDS_MAX} times at most.
   */
  reads?(
    command: Command<Type, InputOf<Types['commands'], Type>>,
    view: PartialView<NonNullable<Types['root']>, Types['rows']>,
  ): readonly RowKey[];
  /**
   * The kinds of rows without whose content this command can be folded: an erasure and a revocation remove rows by their keys.
   * `row` returns null for a row that cannot be read. Such a row must not be put: the command would go to the dead-letter queue.
   * A command with this list, even an empty one, is also folded while effects of an earlier commit cannot be read, and its
   * effects are carried out before those.
   */
  readonly admitsUnreadable?: readonly (keyof Types['rows'] & string)[];
  fold(scope: Scope<Types, Type>): FoldResult<Types, Type>;
  /**
   * Called instead of `fold` if the root cannot be read: an erasure replaces it by a mark. Null, or absent: the command goes to
   * the dead-letter queue.
   *
   * @param known the members of the root that can be read
   */
  foldUnreadable?(
    scope: Omit<Scope<Types, Type>, 'root'>,
    known: Partial<NonNullable<Types['root']>>,
  ): (FoldResult<Types, Type> & { readonly root: NonNullable<Types['root']> }) | null;
}

interface Replaying<Types extends FoldTypes, Type extends TypeOf<Types>> {
  /**
   * Called instead of `fold` if the command's key is remembered with the same input. Null: the stored outcome is the
   * answer. A result replaces the answer, and is remembered only if it says so.
   */
  replay(
    scope: Scope<Types, Type>,
    stored: ResultOf<Types['commands'], Type>,
  ): FoldResult<Types, Type> | null;
}

interface Carrying<Types extends FoldTypes, Type extends TypeOf<Types>> {
  /**
   * Returns the commands that this one carries, without a reply address. The runtime folds them one after the other, each with
   * its own outcome under its own key.
   */
  carried(command: Command<Type, InputOf<Types['commands'], Type>>): readonly Command[];
}

/**
 * The handler of one type of command. All its functions are pure: no clock, no random, no I/O; the same arguments
 * give byte-equal documents. Exactly the commands declared with `decidesRepeats` have a `replay`, and those declared with
 * `carries` have only `carried`.
 */
export type CommandHandler<
  Types extends FoldTypes,
  Type extends TypeOf<Types>,
> = Types['commands'][Type] extends { readonly carries: string }
  ? Carrying<Types, Type>
  : Handling<Types, Type> &
      (Types['commands'][Type] extends { readonly decidesRepeats: true }
        ? Replaying<Types, Type>
        : { readonly replay?: never });

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
  /**
   * True if the aggregate was erased: the runtime then stores nothing of later commands. Absent: the fold erases
   * none.
   */
  isErased?(root: NonNullable<Types['root']>): boolean;
  readonly handlers: CommandHandlers<Types>;
} & EmptyRoot<Types['root']>;

/** The root of handlers for an aggregate that does not exist yet; null if absent. */
type EmptyRoot<Root> = null extends Root ? { readonly emptyRoot?: never } : { readonly emptyRoot: Root };

/** Rounds in which `reads` may name further rows. */
export const READ_ROUNDS_MAX = 5;

export type AnyScope = Scope<FoldTypes>;
export type AnyResult = FoldResult<FoldTypes>;

/** A handler with its types erased. */
export interface AnyHandler {
  reads?(command: Command, view: PartialView<JsonObject, RowDocuments>): readonly RowKey[];
  readonly admitsUnreadable?: readonly string[];
  fold(scope: AnyScope): AnyResult;
  foldUnreadable?(scope: AnyScope, known: JsonObject): AnyResult | null;
  replay?(scope: AnyScope, stored: JsonObject): AnyResult | null;
  carried?(command: Command): readonly Command[];
}

/** A fold with its types erased. */
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

/**
 * Declares a fold and erases its types: the runtime passes handlers only documents that the fold's schemas have
 * parsed.
 */
export function defineFold<Types extends FoldTypes>(definition: FoldDefinition<Types>): AnyFold {
  return definition as unknown as AnyFold;
}

/** The root document and rows of an aggregate as they are stored. */
export type AnyView = Pick<AnyScope, 'root' | 'row'> & Partial<Pick<AnyScope, 'salvaged'>>;

/** Returns the handler's scope of an aggregate and a command. */
export function scopeOf(
  { emptyRoot, limits }: AnyFold,
  { root, row, salvaged = () => null }: AnyView,
  command: Command,
  context: FoldContext,
): AnyScope {
  const { input, actor } = command;
  return { root: root ?? emptyRoot ?? null, row, salvaged, input, actor, envelope: command, context, limits };
}

/**
 * Returns the handler of a command.
 *
 * @throws {Error} for a type that the fold does not know
 */
export function handlerOf({ handlers }: AnyFold, { type }: Pick<Command, 'type'>): AnyHandler {
  const handler = handlers[type];
  if (handler === undefined) throw new Error(`folding a command of the unknown type ${type}`);
  return handler;
}

/** Returns the commands to fold for one of a record: those that it carries, or itself. */
export function commandsToFold(fold: AnyFold, command: Command): readonly Command[] {
  return handlerOf(fold, command).carried?.(command) ?? [command];
}

/** The types of a handler that the runtime adds to every fold. */
export interface RuntimeTypes<Commands extends CommandTable> extends FoldTypes {
  readonly commands: Commands;
}

export type RuntimeCommands = Pick<AnyFold, 'commands' | 'handlers'>;

/** Declares commands that the runtime adds to every fold, with their handlers, and erases their types. */
export function defineRuntimeCommands<Commands extends CommandTable>(
  commands: Commands,
  handlers: CommandHandlers<RuntimeTypes<Commands>>,
): RuntimeCommands {
  return { commands, handlers: handlers as unknown as RuntimeCommands['handlers'] };
}
