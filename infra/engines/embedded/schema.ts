/** The schema of a database, with its number from `user_version`. */
export interface Schema {
  readonly version: number;
  /** The statements that create every missing table. */
  readonly tables: string;
  /** The statements that upgrade to each version from the previous one, by version. */
  readonly upgrades: Readonly<Record<number, string>>;
}

/**
 * Every table of the embedded engine. Texts compare by their UTF-8 bytes (SQLite's default collation), in the order
 * that the ports promise.
 */
const TABLES = `
-- next_offset is stored, not derived from the records: a pruned log must not start again at 0.
CREATE TABLE IF NOT EXISTS log_partition (
  id INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  generation INTEGER NOT NULL,
  partition INTEGER NOT NULL,
  next_offset INTEGER NOT NULL DEFAULT 0,
  UNIQUE (topic, generation, partition)
) STRICT;

-- A WITHOUT ROWID table keeps whole rows in the inner pages of its tree: with rows of half a KiB few fit into one, the tree is
-- deep, and a write touches several of its pages. So large rows are in tables with a row id, at the end of which new ones are
-- added, and only their keys are in a separate tree.
CREATE TABLE IF NOT EXISTS log_record (
  partition_id INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  appended_at INTEGER NOT NULL,
  PRIMARY KEY (partition_id, offset)
) STRICT;

CREATE TABLE IF NOT EXISTS log_group (
  partition_id INTEGER NOT NULL,
  group_name TEXT NOT NULL,
  next_offset INTEGER NOT NULL,
  PRIMARY KEY (partition_id, group_name)
) STRICT, WITHOUT ROWID;

-- Rows name their aggregate by its number, which is a fifteenth of its table and id, in the row and in the key.
CREATE TABLE IF NOT EXISTS aggregate_root (
  number INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  batch_id TEXT NOT NULL,
  applied_generation INTEGER NOT NULL,
  applied_offset INTEGER NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (table_name, id)
) STRICT;

CREATE TABLE IF NOT EXISTS aggregate_row (
  aggregate INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (aggregate, kind, id)
) STRICT;

-- AUTOINCREMENT: an id is never used twice, so a reader of a removed blob cannot meet the chunks of another one.
CREATE TABLE IF NOT EXISTS blob (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  blob_group TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('writing', 'complete', 'removed')),
  length INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER,
  touched_at INTEGER NOT NULL,
  -- The name of a file in the folder of blobs, or null for a complete blob whose bytes are in blob_chunk.
  file TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS blob_complete ON blob (owner, blob_group, name) WHERE state = 'complete';
CREATE INDEX IF NOT EXISTS blob_by_address ON blob (owner, blob_group, name);
CREATE INDEX IF NOT EXISTS blob_by_expiry ON blob (expires_at) WHERE state = 'complete' AND expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS blob_unfinished ON blob (state, touched_at) WHERE state <> 'complete';

-- secure_delete zeros what is freed, but not the copies of a row that SQLite leaves in a page when it spreads rows over
-- other pages. Only the head of a row lies in such a page (at most 1,002 bytes at a page size of 4 KiB); the rest has
-- separate overflow pages, which never move and are zeroed as a whole. So a filler keeps the private bytes out of
-- the head.
CREATE TABLE IF NOT EXISTS blob_chunk (
  blob_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  filler BLOB NOT NULL DEFAULT (zeroblob(1024)),
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS lookup (
  kind TEXT NOT NULL,
  digest TEXT NOT NULL,
  target TEXT,
  version INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (kind, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lookup_by_expiry ON lookup (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS counter (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  reset_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counter_by_end ON counter (reset_at);

CREATE TABLE IF NOT EXISTS limiter_month (
  account TEXT NOT NULL,
  key_id TEXT NOT NULL,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account, key_id)
) STRICT, WITHOUT ROWID;

-- Usage that is not yet in the log: a row is removed after its minute has ended and is published.
CREATE TABLE IF NOT EXISTS limiter_usage (
  account TEXT NOT NULL,
  key_id TEXT NOT NULL,
  minute INTEGER NOT NULL,
  mode TEXT NOT NULL,
  incarnation TEXT NOT NULL,
  allowed INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  looked INTEGER NOT NULL,
  PRIMARY KEY (account, key_id, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS limiter_window (
  key TEXT PRIMARY KEY,
  used INTEGER NOT NULL,
  reset_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS limiter_window_by_end ON limiter_window (reset_at);
`;

/**
 * The schema that this program reads and writes. Its version also rises where programs of the version before cannot read the
 * documents and records of this one (infra/docs/decisions/0029-unknown-members.md).
 */
export const CURRENT_SCHEMA: Schema = { version: 2, tables: TABLES, upgrades: {} };

/**
 * "svc1", the `application_id`: it distinguishes a database of this service from one of another program, and from
 * those of unreleased versions, which had the same version numbers for other tables.
 */
export const APPLICATION_ID = 0x73_76_63_31;
