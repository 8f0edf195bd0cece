import type { z } from 'zod';
import { EMPTY_ROOT, type RuntimeRoot } from '../../schemas/base/aggregate-root.ts';
import type { Command } from '../../schemas/base/command.ts';
import { type JsonObject, jsonObjectSchema } from '../../schemas/base/json.ts';
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
} from '../../schemas/base/outcome.ts';
import type { Changes, Row, RowKey, Snapshot } from '../../topics/ports/store.ts';
import { documentSize } from './document-size.ts';
import { entityKeysSchema } from './entity-keys.ts';
import type { AnyFold } from './fold.ts';
import { pendingSchema } from './follow-up.ts';
import { KeyFilter } from './key-filter.ts';

/**
 * Rows of one kind that are few. An aggregate's settings and sums are: nearly every command reads them, while of a kind with
 * many rows each one is seldom asked for again.
 */
const FEW_ROWS = 8;

/**
 * Rows and characters that one commit takes; the last command may go beyond. Far more than small commands come to, and far less
 * than the 65,535 statements and 16 MiB that Cassandra takes.
 */
export const COMMIT_ROWS_MAX = 4_096;
export const COMMIT_CHARACTERS_MAX = 2 * 1_024 * 1_024;

/** The rows to evict: those of kinds with many rows, or all. */
export type Share = 'many' | 'all';

/**
 * The rows of an aggregate that are known, and the changes on top of them that no commit has taken yet.
 *
 * `undefined` is not known, `null` is known not to exist. Documents are parsed when they come from the store and never
 * mutated.
 */
export class WorkingSet {
  readonly #schemas: Readonly<Record<string, z.ZodType>>;
  /** True when every row of the aggregate is known, or at least that it may exist: any other one does not. */
  readonly #isWhole: boolean;
  /** Evicted rows of a complete set: they may exist. */
  readonly #letGo = new KeyFilter();
  readonly #known = new RowMap();
  readonly #changed = new RowMap();
  /** Of the rows that were set, each as it was when it was set first. */
  #changedCharacters = 0;
  /** The root with the changes so far. */
  root: RuntimeRoot;

  /** @param root null for an aggregate that does not exist yet: from its first row on, all of them will be known. */
  constructor(fold: AnyFold, root: RuntimeRoot | null) {
    this.#schemas = {
      ...fold.rowSchemas,
      [RUNTIME_KINDS.outcome]: storedOutcomeSchema,
      [RUNTIME_KINDS.recent]: recentOutcomeSchema,
      [RUNTIME_KINDS.entityKeys]: entityKeysSchema,
      [RUNTIME_KINDS.pending]: pendingSchema,
    };
    this.#isWhole = root === null;
    this.root = root ?? EMPTY_ROOT;
  }

  /** Takes over what a load brought: the rows asked for that it did not bring do not exist. */
  learn(wanted: readonly RowKey[], snapshot: Snapshot): void {
    for (const { kind, id } of wanted) this.#known.set(kind, id, null);
    for (const row of snapshot.rows) {
      if (row.kind !== RUNTIME_KINDS.pending) this.#known.set(row.kind, row.id, this.#parse(row));
    }
  }

  peek(kind: string, id: string): JsonObject | null | undefined {
    const changed = this.#changed.get(kind, id);
    if (changed !== undefined) return changed;
    const known = this.#known.get(kind, id);
    if (known !== undefined || !this.#isWhole) return known;
    return this.#letGo.mayHave(kind, id) ? undefined : null;
  }

  /** The known rows in which the outcome of a command may be. */
  outcomeRows({ operation, key }: Pick<Command, 'operation' | 'key'>): OutcomeRows {
    const recent = RECENT_ROWS.map(({ kind, id }) => this.peek(kind, id)).filter((row) => row != null);
    const stored = this.peek(RUNTIME_KINDS.outcome, outcomeRowId(operation, key)) ?? null;
    return { recent: recent as RecentOutcome[], stored: stored as StoredOutcome | null };
  }

  /** The keys among these that nothing is known of. */
  unknown(keys: readonly RowKey[]): RowKey[] {
    return keys.filter(({ kind, id }) => this.peek(kind, id) === undefined);
  }

  set({ kind, id }: RowKey, document: JsonObject | null): void {
    if (this.#changed.set(kind, id, document)) this.#changedCharacters += id.length + documentSize(document);
  }

  /** True if the changes so far should be committed before another command is folded. */
  get isFull(): boolean {
    return this.#changed.size >= COMMIT_ROWS_MAX || this.#changedCharacters >= COMMIT_CHARACTERS_MAX;
  }

  /** The changes so far, as a commit takes them. */
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
   * A commit has taken the changes: they are known now. Folds do not read pending rows. An outcome is asked for again
   * only when its command comes again, which is seldom: others are better worth their place.
   */
  settle(): void {
    this.#known.deleteKind(RUNTIME_KINDS.outcome);
    this.#changed.forEach((kind, id, document) => {
      if (kind === RUNTIME_KINDS.pending) return;
      if (kind === RUNTIME_KINDS.outcome) this.#letGoOf(kind, id, document);
      else if (this.#isWhole && document === null) this.#known.delete(kind, id);
      else this.#known.set(kind, id, document);
    });
    this.#changed.clear();
    this.#changedCharacters = 0;
  }

  /** Evicts known rows. A complete set still knows which rows do not exist. */
  shed(share: Share): void {
    for (const [kind, rows] of this.#known.kinds()) {
      if (share === 'many' && rows.size <= FEW_ROWS) continue;
      for (const [id, document] of rows) this.#letGoOf(kind, id, document);
      this.#known.deleteKind(kind);
    }
  }

  #letGoOf(kind: string, id: string, document: JsonObject | null): void {
    if (this.#isWhole && document !== null) this.#letGo.add(kind, id);
  }

  /** Rows in memory. */
  get size(): number {
    return this.#known.size + this.#changed.size;
  }

  /** Evicted rows of a complete set. */
  get letGo(): number {
    return this.#letGo.size;
  }

  #parse(row: Row): JsonObject {
    const schema = this.#schemas[row.kind] ?? jsonObjectSchema;
    return schema.parse(row.document) as JsonObject;
  }
}

/** A document as the store is to hold it. */
function written(kind: string, document: JsonObject): JsonObject {
  return kind === RUNTIME_KINDS.outcome ? outcomeDocument(document as StoredOutcome) : document;
}

/** Documents by kind and id. */
class RowMap {
  readonly #kinds = new Map<string, Map<string, JsonObject | null>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(kind: string, id: string): JsonObject | null | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  /** Returns whether there was no such row before. */
  set(kind: string, id: string, document: JsonObject | null): boolean {
    const rows = this.#kinds.get(kind) ?? this.#begin(kind);
    const before = rows.size;
    rows.set(id, document);
    this.#size += rows.size - before;
    return rows.size > before;
  }

  #begin(kind: string): Map<string, JsonObject | null> {
    const rows = new Map<string, JsonObject | null>();
    this.#kinds.set(kind, rows);
    return rows;
  }

  delete(kind: string, id: string): void {
    if (this.#kinds.get(kind)?.delete(id) === true) this.#size -= 1;
  }

  kinds(): Iterable<readonly [kind: string, rows: ReadonlyMap<string, JsonObject | null>]> {
    return this.#kinds;
  }

  forEach(visit: (kind: string, id: string, document: JsonObject | null) => void): void {
    for (const [kind, rows] of this.#kinds) {
      for (const [id, document] of rows) visit(kind, id, document);
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
