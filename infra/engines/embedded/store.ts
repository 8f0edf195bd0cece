import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type {
  AggregateRef,
  Changes,
  ListOptions,
  Root,
  Row,
  RowKey,
  Snapshot,
  Store,
} from '../../../topics/ports/store.ts';
import { endOfPrefix, requireCoherent, requireLimit } from '../shared/store-rules.ts';
import { documentFrom } from '../shared/stored-document.ts';
import { reading } from './database.ts';
import { type GroupCommit, TransactionFailedError } from './group-commit.ts';
import { ReadCache } from './read-cache.ts';

interface RootRow {
  readonly version: number;
  readonly batch_id: string;
  readonly applied_generation: number;
  readonly applied_offset: number;
  readonly document: string;
}

interface AggregateRow {
  readonly id: string;
  readonly document: string;
}

/** A row that was looked for. */
interface Found {
  readonly row: Row | null;
}

/**
 * Aggregates in the embedded database. Reads are synchronous on the writing connection, between its transactions, so
 * each sees all committed writes as of one moment. A read resolves once these are on the disk.
 */
export class EmbeddedStore implements Store {
  readonly #database: DatabaseSync;
  readonly #writer: GroupCommit;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #lists = new Map<string, StatementSync>();
  readonly #readRoots = new ReadCache<Root>();
  readonly #readRows = new ReadCache<Found>();

  constructor(database: DatabaseSync, writer: GroupCommit) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  async load(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot> {
    await this.#writer.settled();
    return reading('store', () => {
      const root = this.#root(aggregate);
      // Rows exist only with a root.
      if (root === null) return { root, rows: [] };
      const named = this.#namedRows(
        aggregate,
        rows.filter(({ kind }) => kind !== RUNTIME_KINDS.pending),
      );
      return { root, rows: [...named, ...this.#pendingRows(aggregate)] };
    });
  }

  async read(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot> {
    const snapshot = reading('store', () => ({
      root: this.#root(aggregate),
      rows: this.#namedRows(aggregate, rows),
    }));
    await this.#writer.synchronized();
    return snapshot;
  }

  async commit(
    aggregate: AggregateRef,
    expectedVersion: number,
    changes: Changes,
  ): Promise<'applied' | 'stale'> {
    requireCoherent(expectedVersion, changes);
    const write = this.#writeOf(aggregate, expectedVersion, changes);
    try {
      return await this.#writer.run(() => (write() ? 'applied' : 'stale'));
    } catch (error) {
      throw error instanceof TransactionFailedError ? new CommitUnknownError({ cause: error }) : error;
    }
  }

  async list(aggregate: AggregateRef, kind: string, options: ListOptions): Promise<Row[]> {
    requireLimit(options.limit);
    const { sql, bounds } = listQuery(options);
    const rows = reading('store', () =>
      this.#listStatement(sql).all(aggregate.table, aggregate.id, kind, ...bounds, options.limit),
    ) as unknown as AggregateRow[];
    await this.#writer.synchronized();
    return rows.map((row) => rowFrom(kind, row));
  }

  /**
   * Serialises the changes now, so that later changes by the caller are not written. The returned operation writes
   * them and returns true, or false for another version.
   */
  #writeOf(
    { table, id }: AggregateRef,
    expectedVersion: number,
    { root, put, remove }: Changes,
  ): () => boolean {
    const { putRow, removeRow } = this.#statements;
    const document = JSON.stringify(root.document);
    const rows = put.map((row) => ({ kind: row.kind, id: row.id, document: JSON.stringify(row.document) }));
    const removed = remove.map((key) => ({ kind: key.kind, id: key.id }));
    const { version, batchId, applied } = root;
    const columns = [version, batchId, applied.generation, applied.offset, document] as const;
    return () => {
      const number = this.#writeRoot(table, id, expectedVersion, columns);
      if (number === null) return false;
      this.#readRoots.remove(table, id);
      for (const row of rows) putRow.run(number, row.kind, row.id, row.document);
      for (const key of removed) removeRow.run(number, key.kind, key.id);
      for (const key of [...rows, ...removed]) this.#readRows.remove(table, id, key.kind, key.id);
      return true;
    };
  }

  /** Returns the aggregate's number, or null if its version is another one. */
  #writeRoot(
    table: string,
    id: string,
    expectedVersion: number,
    columns: readonly [number, string, number, number, string],
  ): number | null {
    const { insertRoot, updateRoot } = this.#statements;
    const root =
      expectedVersion === 0
        ? insertRoot.get(...columns, table, id)
        : updateRoot.get(...columns, table, id, expectedVersion);
    return root === undefined ? null : Number(root['number']);
  }

  #root({ table, id }: AggregateRef): Root | null {
    const known = this.#readRoots.get(table, id);
    if (known !== undefined) return known;
    const row = this.#statements.root.get(table, id) as RootRow | undefined;
    if (row === undefined) return null;
    const root = rootFrom(row);
    this.#readRoots.keep(root, row.document.length, table, id);
    return root;
  }

  #namedRows(aggregate: AggregateRef, keys: readonly RowKey[]): Row[] {
    return keys.flatMap((key) => this.#row(aggregate, key) ?? []);
  }

  #row({ table, id }: AggregateRef, key: RowKey): Row | null {
    const known = this.#readRows.get(table, id, key.kind, key.id);
    if (known !== undefined) return known.row;
    const found = this.#statements.row.get(table, id, key.kind, key.id) as AggregateRow | undefined;
    const row = found === undefined ? null : rowFrom(key.kind, found);
    // A missing row is kept as well: a page of a person who has not begun asks for one with every poll.
    this.#readRows.keep({ row }, found?.document.length ?? 0, table, id, key.kind, key.id);
    return row;
  }

  #pendingRows({ table, id }: AggregateRef): Row[] {
    const rows = this.#statements.kind.all(table, id, RUNTIME_KINDS.pending) as unknown as AggregateRow[];
    return rows.map((row) => rowFrom(RUNTIME_KINDS.pending, row));
  }

  #listStatement(sql: string): StatementSync {
    const known = this.#lists.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#lists.set(sql, statement);
    return statement;
  }
}

/** Selects the number by which the rows of an aggregate refer to it. */
const NUMBER = '(SELECT number FROM aggregate_root WHERE table_name = ? AND aggregate_root.id = ?)';

function prepareStatements(database: DatabaseSync) {
  return {
    root: database.prepare(
      `SELECT version, batch_id, applied_generation, applied_offset, document
       FROM aggregate_root WHERE table_name = ? AND id = ?`,
    ),
    row: database.prepare(
      `SELECT id, document FROM aggregate_row WHERE aggregate = ${NUMBER} AND kind = ? AND id = ?`,
    ),
    kind: database.prepare(`SELECT id, document FROM aggregate_row WHERE aggregate = ${NUMBER} AND kind = ?`),
    insertRoot: database.prepare(
      `INSERT INTO aggregate_root
       (version, batch_id, applied_generation, applied_offset, document, table_name, id)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_name, id) DO NOTHING RETURNING number`,
    ),
    updateRoot: database.prepare(
      `UPDATE aggregate_root
       SET version = ?, batch_id = ?, applied_generation = ?, applied_offset = ?, document = ?
       WHERE table_name = ? AND id = ? AND version = ? RETURNING number`,
    ),
    putRow: database.prepare(
      `INSERT INTO aggregate_row (aggregate, kind, id, document) VALUES (?, ?, ?, ?)
       ON CONFLICT (aggregate, kind, id) DO UPDATE SET document = excluded.document`,
    ),
    removeRow: database.prepare('DELETE FROM aggregate_row WHERE aggregate = ? AND kind = ? AND id = ?'),
  };
}

function rootFrom(row: RootRow): Root {
  return {
    version: row.version,
    batchId: row.batch_id,
    applied: { generation: row.applied_generation, offset: row.applied_offset },
    document: documentFrom(row.document),
  };
}

function rowFrom(kind: string, row: AggregateRow): Row {
  return { kind, id: row.id, document: documentFrom(row.document) };
}

/** Returns the SQL of a listing: each bound is a range of the primary key. */
function listQuery({ prefix = '', after, reverse = false }: ListOptions): {
  sql: string;
  bounds: SQLInputValue[];
} {
  const end = endOfPrefix(prefix);
  const conditions = [`aggregate = ${NUMBER}`, 'kind = ?', 'id >= ?'];
  const bounds: SQLInputValue[] = [prefix];
  if (end !== null) {
    conditions.push('id < ?');
    bounds.push(end);
  }
  if (after !== undefined) {
    conditions.push(reverse ? 'id < ?' : 'id > ?');
    bounds.push(after);
  }
  const order = reverse ? 'DESC' : 'ASC';
  return {
    sql: `SELECT id, document FROM aggregate_row WHERE ${conditions.join(' AND ')} ORDER BY id ${order} LIMIT ?`,
    bounds,
  };
}
