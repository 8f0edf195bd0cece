import type { z } from 'zod';
import type { RuntimeRoot } from '../../schemas/base/aggregate-root.ts';
import { type JsonObject, jsonObjectSchema } from '../../schemas/base/json.ts';
import { RUNTIME_KINDS, recentOutcomeSchema, storedOutcomeSchema } from '../../schemas/base/outcome.ts';
import type { Changes, Row, RowKey, Snapshot } from '../../topics/ports/store.ts';
import { entityKeysSchema } from './entity-keys.ts';
import type { AnyFold } from './fold.ts';
import { pendingSchema } from './follow-up.ts';

/**
 * The rows of an aggregate that are known, and the changes on top of them that no commit has taken yet.
 *
 * `undefined` is not known, `null` is known not to exist. Documents are parsed when they come from the store and never
 * mutated.
 */
export class WorkingSet {
  readonly #schemas: Readonly<Record<string, z.ZodType>>;
  readonly #known = new Map<string, JsonObject | null>();
  readonly #changed = new Map<string, { key: RowKey; document: JsonObject | null }>();
  /** The root with the changes so far. */
  root: RuntimeRoot;

  constructor(fold: AnyFold, root: RuntimeRoot) {
    this.#schemas = {
      ...fold.rowSchemas,
      [RUNTIME_KINDS.outcome]: storedOutcomeSchema,
      [RUNTIME_KINDS.recent]: recentOutcomeSchema,
      [RUNTIME_KINDS.entityKeys]: entityKeysSchema,
      [RUNTIME_KINDS.pending]: pendingSchema,
    };
    this.root = root;
  }

  /** Takes over what a load brought: the rows asked for that it did not bring do not exist. */
  learn(wanted: readonly RowKey[], snapshot: Snapshot): void {
    for (const key of wanted) this.#known.set(nameOf(key), null);
    for (const row of snapshot.rows) {
      if (row.kind !== RUNTIME_KINDS.pending) this.#known.set(nameOf(row), this.#parse(row));
    }
  }

  peek(kind: string, id: string): JsonObject | null | undefined {
    const name = nameOf({ kind, id });
    const change = this.#changed.get(name);
    return change === undefined ? this.#known.get(name) : change.document;
  }

  /** The keys among these that nothing is known of. */
  unknown(keys: readonly RowKey[]): RowKey[] {
    return keys.filter((key) => this.peek(key.kind, key.id) === undefined);
  }

  set(key: RowKey, document: JsonObject | null): void {
    this.#changed.set(nameOf(key), { key: { kind: key.kind, id: key.id }, document });
  }

  /** The changes so far, as a commit takes them. */
  changes(): Pick<Changes, 'put' | 'remove'> {
    const put: Row[] = [];
    const remove: RowKey[] = [];
    for (const { key, document } of this.#changed.values()) {
      if (document === null) remove.push(key);
      else put.push({ ...key, document });
    }
    return { put, remove };
  }

  /** A commit has taken the changes: they are known now. Pending rows are nobody's to read. */
  settle(): void {
    for (const [name, { key, document }] of this.#changed) {
      if (key.kind !== RUNTIME_KINDS.pending) this.#known.set(name, document);
    }
    this.#changed.clear();
  }

  /** How many rows are held in memory. */
  get size(): number {
    return this.#known.size + this.#changed.size;
  }

  #parse(row: Row): JsonObject {
    const schema = this.#schemas[row.kind] ?? jsonObjectSchema;
    return schema.parse(row.document) as JsonObject;
  }
}

function nameOf(key: RowKey): string {
  // Kinds are names of ours without a slash, so the pair is unambiguous.
  return `${key.kind}/${key.id}`;
}
