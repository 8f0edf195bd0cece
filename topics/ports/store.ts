import type { JsonObject } from '../../schemas/base/json.ts';
import type { TableName } from '../catalogue.ts';
import type { Position } from './log.ts';

export interface AggregateRef {
  readonly table: TableName;
  readonly id: string;
}

export interface RowKey {
  readonly kind: string;
  readonly id: string;
}

export interface Row extends RowKey {
  /** A damaged document is the text that it is, which no schema takes: a store reads its neighbours all the same. */
  readonly document: JsonObject;
}

/** The root of an aggregate: one per partition of a table, under whose version everything else changes. */
export interface Root {
  /** 1 for the first commit, then one more with each. */
  readonly version: number;
  /** Names the commit that wrote this version, so that a commit without an answer can be recognised. */
  readonly batchId: string;
  /** The last record that was folded into the aggregate (ARCHITECTURE.md, rule 3). */
  readonly applied: Position;
  readonly document: JsonObject;
}

export interface Snapshot {
  readonly root: Root | null;
  /** The rows that exist among those asked for, and with `load` every `pending` row; in no particular order. */
  readonly rows: readonly Row[];
}

export interface Changes {
  readonly root: Root;
  readonly put: readonly Row[];
  readonly remove: readonly RowKey[];
}

export interface ListOptions {
  /** Only ids that start with this. */
  readonly prefix?: string;
  /** Only ids beyond this one, in the direction of the listing. */
  readonly after?: string;
  readonly limit: number;
  /** Ids in descending order. */
  readonly reverse?: boolean;
}

/**
 * Aggregates: a root and rows of a kind, in one partition of one table, changed under a version check only
 * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). Every method rejects with `EngineUnavailableError` while the
 * store is down; `commit` also with `CommitUnknownError`.
 */
export interface Store {
  /**
   * Reads the root, all rows of kind `pending`, and the named rows as of one moment, and waits for commits under way:
   * nothing that a commit has been answered for is missed (LOCAL_SERIAL on Cassandra). For processors.
   */
  load(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot>;
  /**
   * Applies all changes if the aggregate's version is still `expectedVersion` (0: it must not exist), else none of them.
   * No key may be both put and removed.
   */
  commit(aggregate: AggregateRef, expectedVersion: number, changes: Changes): Promise<'applied' | 'stale'>;
  /** Reads the root and the named rows as of one moment. Sees every commit that was answered before. For readers. */
  read(aggregate: AggregateRef, rows: readonly RowKey[]): Promise<Snapshot>;
  /** Lists rows of one kind, ordered by the bytes of their ids. */
  list(aggregate: AggregateRef, kind: string, options: ListOptions): Promise<Row[]>;
}
