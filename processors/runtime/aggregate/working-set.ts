import { z } from 'zod';
import { EMPTY_ROOT, type RuntimeRoot } from '../../../schemas/base/aggregate-root.ts';
import type { Command } from '../../../schemas/base/command.ts';
import { type JsonObject, jsonObjectSchema } from '../../../schemas/base/json.ts';
import {
  type OutcomeRows,
  outcomeDocument,
  outcomeRowId,
  RECENT_ROWS,
  type RecentOutcome,
  RUNTIME_KINDS,
  recentOutcomeSchema,
  type StoredOutcome,
  storedOutcomeSchema,
} from '../../../schemas/base/outcome.ts';
import type { FilterLookups } from '../../../topics/ports/meter.ts';
import type { Changes, Row, RowKey, Snapshot } from '../../../topics/ports/store.ts';
import { pendingSchema } from '../effects/follow-up.ts';
import { entityKeysSchema } from '../fold/entity-keys.ts';
import type { AnyFold } from '../fold/fold.ts';
import { documentSize } from './document-size.ts';
import { KeyFilter } from './key-filter.ts';
import { loadDocument, salvage, UnreadableDocumentError } from './unreadable.ts';

/**
 * Number of rows up to which a kind counts as small, such as an aggregate's settings and sums. Nearly every command reads
 * those. A row of a larger kind is seldom read again.
 */
const FEW_ROWS = 8;

/**
 * Rows and characters that one commit takes; the last command may go beyond. Small commands
 * stay far below both; both are far below the 65,535 statements and 16 MiB that Cassandra accepts.
 */
export const COMMIT_ROWS_MAX = 4_096;
export const COMMIT_CHARACTERS_MAX = 2 * 1_024 * 1_024;

/** A state of a root that cannot be read, with its readable members. */
export interface UnreadableState {
  readonly error: UnreadableDocumentError;
  readonly known: JsonObject;
}

/** The rows to evict: those of kinds with many rows (`many`), or all. */
export type EvictionScope = 'many' | 'all';

/**
 * The loaded rows of an aggregate, and the changes that no commit contains yet.
 *
 * `undefined` means not loaded; `null` means that the row does not exist. Documents are parsed once, when they are loaded,
 * and never mutated.
 */
export class WorkingSet {
  readonly #schemas: Readonly<Record<string, z.ZodType>>;
  /** The schemas of the product's kinds. */
  readonly #ofProduct: AnyFold['rowSchemas'];
  /** True if the full set of row keys is known: a key in neither the rows nor the filter of evicted keys does not exist. */
  readonly #isComplete: boolean;
  /** Evicted rows of a complete set: they may exist. */
  readonly #evicted = new KeyFilter();
  #lookups = { absent: 0, possible: 0 };
  readonly #known = new RowMap<JsonObject | null>();
  readonly #changed = new RowMap<JsonObject | null>();
  /** Rows that exist and cannot be read. The commands after the next commit read them again. */
  readonly #unreadable = new RowMap<{
    readonly error: UnreadableDocumentError;
    /** The document as it is stored. */
    readonly stored: unknown;
  }>();
  /** The characters of the changed rows. Each row counts once, with its size when it was first changed. */
  #changedCharacters = 0;
  /** The root with the changes so far. */
  root: RuntimeRoot;
  /** The root's state, if it exists and cannot be read; null after a command has replaced it. */
  unreadableState: UnreadableState | null = null;

  /** @param root null for an aggregate that does not exist yet. Its set of keys is complete from its first row on. */
  constructor(fold: AnyFold, root: RuntimeRoot | null) {
    this.#ofProduct = fold.rowSchemas;
    this.#schemas = {
      ...fold.rowSchemas,
      [RUNTIME_KINDS.outcome]: storedOutcomeSchema,
      [RUNTIME_KINDS.recent]: recentOutcomeSchema,
      [RUNTIME_KINDS.entityKeys]: entityKeysSchema,
      [RUNTIME_KINDS.pending]: pendingSchema,
    };
    this.#isComplete = root === null;
    this.root = root ?? EMPTY_ROOT;
  }

  /** Adds the rows of a store read. Requested rows that the snapshot lacks do not exist. */
  load(wanted: readonly RowKey[], snapshot: Snapshot): void {
    const rows = snapshot.rows.filter(({ kind }) => kind !== RUNTIME_KINDS.pending);
    const found = rows.map((row) => ({ ...row, document: this.#parse(row), stored: row.document }));
    for (const { kind, id } of wanted) this.#known.set(kind, id, null);
    for (const { kind, id, document, stored } of found) {
      if (document instanceof UnreadableDocumentError) {
        this.#known.delete(kind, id);
        this.#unreadable.set(kind, id, { error: document, stored });
      } else this.#known.set(kind, id, document);
    }
  }

  /** @throws {UnreadableDocumentError} if the row exists and cannot be read */
  peek(kind: string, id: string): JsonObject | null | undefined {
    const unreadable = this.#unreadable.get(kind, id);
    if (unreadable !== undefined) throw unreadable.error;
    const changed = this.#changed.get(kind, id);
    if (changed !== undefined) return changed;
    const known = this.#known.get(kind, id);
    if (known !== undefined || !this.#isComplete) return known;
    if (this.#evicted.size === 0) return null;
    const mayExist = this.#evicted.mayHave(kind, id);
    if (mayExist) this.#lookups.possible += 1;
    else this.#lookups.absent += 1;
    return mayExist ? undefined : null;
  }

  /** Returns the look-ups in the filter of evicted keys since the last call. */
  takeFilterLookups(): FilterLookups {
    const lookups = this.#lookups;
    this.#lookups = { absent: 0, possible: 0 };
    return lookups;
  }

  /** The known rows in which the outcome of a command may be, without unreadable ones. */
  outcomeRows({ operation, key }: Pick<Command, 'operation' | 'key'>): OutcomeRows {
    const readable = ({ kind, id }: RowKey) => (this.isUnreadable(kind, id) ? null : this.peek(kind, id));
    const recent = RECENT_ROWS.map(readable).filter((row) => row != null);
    const stored = readable({ kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) }) ?? null;
    return { recent: recent as RecentOutcome[], stored: stored as StoredOutcome | null };
  }

  /** Returns the keys whose rows are not loaded. An unreadable row is no such one. */
  unknown(keys: readonly RowKey[]): RowKey[] {
    return keys.filter(({ kind, id }) => !this.isUnreadable(kind, id) && this.peek(kind, id) === undefined);
  }

  /** @throws {UnreadableDocumentError} if one of the rows exists and cannot be read */
  requireReadable(keys: readonly RowKey[]): void {
    for (const { kind, id } of keys) if (this.isUnreadable(kind, id)) this.peek(kind, id);
  }

  /** True if the row exists and cannot be read. */
  isUnreadable(kind: string, id: string): boolean {
    return this.#unreadable.get(kind, id) !== undefined;
  }

  /** Returns the readable members of a row that cannot be read; null for any other row. */
  salvaged(kind: string, id: string): JsonObject | null {
    const unreadable = this.#unreadable.get(kind, id);
    return unreadable === undefined ? null : salvage(this.#schemas[kind], unreadable.stored);
  }

  /** Changes a row; null removes it. A row that is known keeps members that only a newer release knows, whatever replaces it. */
  set({ kind, id }: RowKey, replacement: JsonObject | null): void {
    const changed = this.#changed.get(kind, id);
    const before = changed === undefined ? this.#known.get(kind, id) : changed;
    const document =
      replacement === null || before == null ? replacement : this.#withUnknown(kind, before, replacement);
    this.#unreadable.delete(kind, id);
    if (this.#changed.set(kind, id, document)) this.#changedCharacters += id.length + documentSize(document);
  }

  #withUnknown(kind: string, before: JsonObject, replacement: JsonObject): JsonObject {
    const schema = this.#ofProduct[kind];
    if (!(schema instanceof z.ZodObject)) return replacement;
    const isUnknown = (name: string) =>
      !Object.hasOwn(schema.shape, name) && !Object.hasOwn(replacement, name);
    const unknown = Object.keys(before).filter(isUnknown);
    if (unknown.length === 0) return replacement;
    return { ...replacement, ...Object.fromEntries(unknown.map((name) => [name, before[name]])) };
  }

  /** Like the bound of a commit, each row counts once. */
  get changedCharacters(): number {
    return this.#changedCharacters;
  }

  /** True if the changes so far must be committed before the next command is folded. */
  get isFull(): boolean {
    return this.#changed.size >= COMMIT_ROWS_MAX || this.#changedCharacters >= COMMIT_CHARACTERS_MAX;
  }

  /** Returns the changes so far in the form of a commit. */
  changes(): Pick<Changes, 'put' | 'remove'> {
    const put: Row[] = [];
    const remove: RowKey[] = [];
    this.#changed.forEach((kind, id, document) => {
      if (document === null) remove.push({ kind, id });
      else put.push({ kind, id, document: written(kind, document) });
    });
    return { put, remove };
  }

  /**
   * Moves the changes to the loaded rows, after their commit. Pending rows are dropped, because folds do not read them.
   * Outcomes are evicted, because only a repeated command reads one, which is rare.
   */
  settle(): void {
    this.#known.deleteKind(RUNTIME_KINDS.outcome);
    this.#changed.forEach((kind, id, document) => {
      if (kind === RUNTIME_KINDS.pending) return;
      if (kind === RUNTIME_KINDS.outcome) this.#recordEviction(kind, id, document);
      else if (this.#isComplete && document === null) this.#known.delete(kind, id);
      else this.#known.set(kind, id, document);
    });
    this.#changed.clear();
    this.#changedCharacters = 0;
    this.#unreadable.clear();
  }

  /** Evicts loaded rows. A complete set still knows which rows do not exist. */
  evict(scope: EvictionScope): void {
    for (const [kind, rows] of this.#known.kinds()) {
      if (scope === 'many' && rows.size <= FEW_ROWS) continue;
      for (const [id, document] of rows) this.#recordEviction(kind, id, document);
      this.#known.deleteKind(kind);
    }
  }

  #recordEviction(kind: string, id: string, document: JsonObject | null): void {
    if (this.#isComplete && document !== null) this.#evicted.add(kind, id);
  }

  /** Rows in memory. */
  get size(): number {
    return this.#known.size + this.#changed.size;
  }

  /** The number of evicted keys of a complete set. */
  get evictedKeys(): number {
    return this.#evicted.size;
  }

  #parse({ kind, document }: Row): JsonObject | UnreadableDocumentError {
    try {
      return loadDocument(
        `a row of kind ${kind}`,
        this.#schemas[kind] ?? jsonObjectSchema,
        document,
      ) as JsonObject;
    } catch (error) {
      if (error instanceof UnreadableDocumentError) return error;
      throw error;
    }
  }
}

/** Returns the document in its stored form. */
function written(kind: string, document: JsonObject): JsonObject {
  return kind === RUNTIME_KINDS.outcome ? outcomeDocument(document as StoredOutcome) : document;
}

/** Values by kind and id. */
class RowMap<Value> {
  readonly #kinds = new Map<string, Map<string, Value>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(kind: string, id: string): Value | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  /** Returns whether there was no such row before. */
  set(kind: string, id: string, value: Value): boolean {
    const rows = this.#kinds.get(kind) ?? this.#begin(kind);
    const before = rows.size;
    rows.set(id, value);
    this.#size += rows.size - before;
    return rows.size > before;
  }

  #begin(kind: string): Map<string, Value> {
    const rows = new Map<string, Value>();
    this.#kinds.set(kind, rows);
    return rows;
  }

  delete(kind: string, id: string): void {
    if (this.#kinds.get(kind)?.delete(id) === true) this.#size -= 1;
  }

  kinds(): Iterable<readonly [kind: string, rows: ReadonlyMap<string, Value>]> {
    return this.#kinds;
  }

  forEach(visit: (kind: string, id: string, value: Value) => void): void {
    for (const [kind, rows] of this.#kinds) {
      for (const [id, value] of rows) visit(kind, id, value);
    }
  }

  deleteKind(kind: string): void {
    this.#size -= this.#kinds.get(kind)?.size ?? 0;
    this.#kinds.delete(kind);
  }

  clear(): void {
    this.#kinds.clear();
    this.#size = 0;
  }
}
