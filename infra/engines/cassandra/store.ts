import { types } from 'cassandra-driver';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { TableName } from '../../../topics/catalogue.ts';
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
import { requireCoherent, requireLimit } from '../shared/store-rules.ts';
import { documentFrom } from '../shared/stored-document.ts';
import { listStatement } from './listing.ts';
import {
  changePending,
  idsText,
  isOrdinary,
  listPending,
  type PendingRows,
  parsePending,
  pendingChanges,
  pendingText,
  pickPending,
} from './pending.ts';
import type { CassandraSession, ReadLevel, Statement } from './session.ts';

const ENGINE = 'store';

/** The key of the root's row in every aggregate: kinds of products are never empty. */
const ROOT: RowKey = { kind: '', id: '' };
const PENDING: RowKey = { kind: '', id: 'pending' };

/** The result of one read: the root, the pending rows if requested, and the other named rows. */
interface Partition {
  readonly root: Root | null;
  readonly pending: PendingRows;
  readonly rows: readonly Row[];
}

/** The pending rows before and after a commit. */
interface PendingStep {
  /** The ids that the condition expects. */
  readonly before: string;
  readonly after: PendingRows;
}

const NO_PENDING = idsText([]);

/**
 * Aggregates in Cassandra: a table for each product, a partition for each aggregate
 * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md).
 *
 * - **A commit is one conditional batch of one partition**, on the version in the root's row. The root is a row and
 *   not a set of static columns: a result repeats static columns in each of its rows, and a load names hundreds of
 *   rows.
 * - **A load is one select at LOCAL_SERIAL** of rows with known keys: the root, the named rows, and one row that
 *   holds all pending rows. CQL cannot select named rows and all rows of a kind at once. Separate pending rows would
 *   also leave tombstones with each commit, which every load would pass; an overwritten cell leaves none.
 * - So a commit has to know the pending rows. A processor removes exactly those with its next commit, so the
 *   condition expects them, beside the version. Otherwise the commit reads them and tries again.
 */
export class CassandraStore implements Store {
  readonly #session: CassandraSession;
  readonly #texts: StatementTexts;

  constructor(session: CassandraSession) {
    this.#session = session;
    this.#texts = new StatementTexts((table) => session.table(table));
  }

  async load(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot> {
    const keys = [ROOT, PENDING, ...rows.filter(isOrdinary)];
    const found = await this.#partition(aggregate, keys, 'LOCAL_SERIAL');
    return { root: found.root, rows: [...found.rows, ...pickPending(found.pending, found.pending.keys())] };
  }

  async read(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot> {
    const pending = rows.filter((row) => !isOrdinary(row)).map(({ id }) => id);
    const ours = pending.length > 0 ? [ROOT, PENDING] : [ROOT];
    const found = await this.#partition(aggregate, [...ours, ...rows.filter(isOrdinary)], 'LOCAL_QUORUM');
    return { root: found.root, rows: [...found.rows, ...pickPending(found.pending, pending)] };
  }

  async commit(
    aggregate: AggregateRef,
    expectedVersion: number,
    changes: Changes,
  ): Promise<'applied' | 'stale'> {
    requireCoherent(expectedVersion, changes);
    // Both serialise now, so that later changes by the caller to `changes` are not written.
    const pending = pendingChanges(changes);
    const batch = this.#batch(aggregate, expectedVersion, changes);
    const expected = { before: idsText(pending.remove), after: pending.put };
    const refused = await this.#session.writeIf(ENGINE, batch(expected));
    if (refused === null) return 'applied';
    if (expectedVersion === 0 || Number(refused['version']) !== expectedVersion) return 'stale';

    const found = await this.#partition(aggregate, [ROOT, PENDING], 'LOCAL_SERIAL');
    if (found.root?.version !== expectedVersion) return 'stale';
    const seen = { before: idsText(found.pending.keys()), after: changePending(found.pending, pending) };
    return (await this.#session.writeIf(ENGINE, batch(seen))) === null ? 'applied' : 'stale';
  }

  async list(aggregate: AggregateRef, kind: string, options: ListOptions): Promise<Row[]> {
    requireLimit(options.limit);
    if (kind === RUNTIME_KINDS.pending) {
      const found = await this.#partition(aggregate, [ROOT, PENDING], 'LOCAL_QUORUM');
      return listPending(found.pending, options);
    }
    const statement = listStatement(this.#session.table(aggregate.table), aggregate.id, kind, options);
    const rows = await this.#session.read(ENGINE, statement, 'LOCAL_QUORUM');
    return rows.map((row) => ({ kind, id: row['id'], document: documentFrom(row['document']) }));
  }

  async #partition(
    { table, id }: AggregateRef,
    keys: readonly RowKey[],
    level: ReadLevel,
  ): Promise<Partition> {
    const statement = {
      query: this.#texts.get(table).select,
      params: [id, keys.map((key) => new types.Tuple(key.kind, key.id))],
    };
    const rows = await this.#session.read(ENGINE, statement, level);
    const root = rows.find(isAt(ROOT));
    const pending = rows.find(isAt(PENDING));
    return {
      root: root === undefined ? null : rootFrom(root),
      pending: pending === undefined ? new Map() : parsePending(pending['document']),
      rows: rows.filter((row) => row['kind'] !== ROOT.kind).map(rowFrom),
    };
  }

  /** Returns the statements of a commit for known pending rows. */
  #batch(
    { table, id }: AggregateRef,
    expectedVersion: number,
    { root, put, remove }: Changes,
  ): (pending: PendingStep) => Statement[] {
    const { update, insert, erase } = this.#texts.get(table);
    const insertOf = (key: RowKey, text: string): Statement => ({
      query: insert,
      params: [id, key.kind, key.id, text],
    });
    const eraseOf = (key: RowKey): Statement => ({ query: erase, params: [id, key.kind, key.id] });
    const values = valuesOf(root);
    const rows = [
      ...put.filter(isOrdinary).map((row) => insertOf(row, JSON.stringify(row.document))),
      ...remove.filter(isOrdinary).map(eraseOf),
    ];
    return ({ before, after }) => {
      const held = expectedVersion === 0 ? [null, null] : [BigInt(expectedVersion), before];
      const pending =
        before === NO_PENDING && after.size === 0 ? [] : [insertOf(PENDING, pendingText(after))];
      return [
        { query: update, params: [...values, idsText(after.keys()), id, ...held] },
        ...pending,
        ...rows,
      ];
    };
  }
}

/** The statements on one table of aggregates. */
interface Texts {
  readonly select: string;
  readonly update: string;
  readonly insert: string;
  readonly erase: string;
}

/**
 * The texts of the statements by table, each created once. The driver finds a prepared statement by its text. A
 * string that is built again for each row would be read to its end each time.
 */
class StatementTexts {
  readonly #nameOf: (table: TableName) => string;
  readonly #texts = new Map<TableName, Texts>();

  constructor(nameOf: (table: TableName) => string) {
    this.#nameOf = nameOf;
  }

  get(table: TableName): Texts {
    const known = this.#texts.get(table);
    if (known !== undefined) return known;
    const texts = textsOf(this.#nameOf(table));
    this.#texts.set(table, texts);
    return texts;
  }
}

function textsOf(name: string): Texts {
  return {
    select: `SELECT kind, id, document, version, batch_id, applied_generation, applied_offset
      FROM ${name} WHERE aggregate = ? AND (kind, id) IN ?`,
    update: `UPDATE ${name} SET version = ?, batch_id = ?, applied_generation = ?, applied_offset = ?,
      document = ?, pending_ids = ? WHERE aggregate = ? AND kind = '' AND id = ''
      IF version = ? AND pending_ids = ?`,
    insert: `INSERT INTO ${name} (aggregate, kind, id, document) VALUES (?, ?, ?, ?)`,
    erase: `DELETE FROM ${name} WHERE aggregate = ? AND kind = ? AND id = ?`,
  };
}

function isAt({ kind, id }: RowKey): (row: types.Row) => boolean {
  return (row) => row['kind'] === kind && row['id'] === id;
}

/** Returns the columns that only a root has, in the order in which a commit sets them. */
function valuesOf({ version, batchId, applied, document }: Root): unknown[] {
  return [BigInt(version), batchId, applied.generation, BigInt(applied.offset), JSON.stringify(document)];
}

function rootFrom(row: types.Row): Root {
  return {
    version: Number(row['version']),
    batchId: row['batch_id'],
    applied: { generation: row['applied_generation'], offset: Number(row['applied_offset']) },
    document: documentFrom(row['document']),
  };
}

function rowFrom(row: types.Row): Row {
  return { kind: row['kind'], id: row['id'], document: documentFrom(row['document']) };
}
