import type { Client, types } from 'cassandra-driver';
import { type CassandraOptions, createClient } from './driver.ts';
import { readSchemaVersions, type SchemaVersion } from './schema-files.ts';
import { type CassandraSession, connect } from './session.ts';

/** How many copies there are of everything. */
export type Replication =
  /** For development on one datacenter, without regard to racks. */
  | { readonly strategy: 'simple'; readonly factor: number }
  /** Copies by datacenter. */
  | { readonly strategy: 'network'; readonly factors: Readonly<Record<string, number>> };

export interface MigrateOptions extends CassandraOptions {
  /** Of a keyspace that has to be made; one that exists keeps its own. */
  readonly replication: Replication;
}

export interface Migration {
  /** The version that was found; 0 when there was none. */
  readonly from: number;
  readonly to: number;
}

/** Our name in `schema_version`. */
const PRODUCT = 'svc';

/** Changes of the schema reach every node before the next one is made: a node may take its time. */
const SCHEMA_REQUEST_TIMEOUT_MS = 30_000;

/**
 * Brings the schema to the newest version that this program knows, one version after the other; does nothing when it is
 * there. It may be run any number of times and after any interruption, but by one process at a time: Cassandra does not
 * order changes of the schema that several nodes make at once.
 *
 * @throws {Error} when the schema is of a version that this program does not know: it never goes backwards.
 * @throws {EngineUnavailableError} when no node answers.
 */
export async function migrate(options: MigrateOptions): Promise<Migration> {
  const versions = await readSchemaVersions();
  return applySchemaVersions(options, versions);
}

/** {@link migrate} with given versions, oldest first and without a gap. */
export async function applySchemaVersions(
  options: MigrateOptions,
  versions: readonly [SchemaVersion, ...SchemaVersion[]],
): Promise<Migration> {
  const client = createClient({ ...options, requestTimeoutMs: SCHEMA_REQUEST_TIMEOUT_MS });
  await connect(client);
  try {
    const newest = versions.at(-1)?.version ?? 0;
    const { version: from } = await appliedSchema(
      options.keyspace,
      async (query, params) => (await client.execute(query, [...params])).rows,
    );
    if (from > newest) {
      throw new Error(`migrating the schema: it has version ${from}, and this program knows only ${newest}`);
    }
    if (from === 0) await changeSchema(client, createKeyspace(options));
    await client.execute(`USE ${options.keyspace}`, [], { prepare: false });
    for (const version of versions.slice(from)) await applyVersion(client, version);
    return { from, to: newest };
  } finally {
    await client.shutdown();
  }
}

/**
 * Makes sure that the schema and this program fit each other: the schema has at least the program's version, and has not
 * left it behind.
 *
 * @throws {Error} when they do not; it says what to do.
 * @throws {EngineUnavailableError} when no node answers.
 */
export async function requireSchema(session: CassandraSession, known: SchemaVersion): Promise<void> {
  const applied = await appliedSchema(session.keyspace, (query, params) =>
    session.read('store', { query, params }, 'LOCAL_QUORUM'),
  );
  if (applied.version < known.version) {
    throw new Error(
      `opening the schema: it has version ${applied.version} and needs ${known.version}; migrate it first`,
    );
  }
  if (applied.lowestCompatible > known.version) {
    throw new Error(
      `opening the schema: version ${applied.version} needs a program of version ${applied.lowestCompatible} or later, and this one has ${known.version}`,
    );
  }
}

type RunQuery = (query: string, params: readonly unknown[]) => Promise<types.Row[]>;

interface AppliedSchema {
  readonly version: number;
  readonly lowestCompatible: number;
}

/** The newest version that was applied; version 0 when there is none, or no keyspace yet. */
async function appliedSchema(keyspace: string, run: RunQuery): Promise<AppliedSchema> {
  const tables = await run(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
    [keyspace, 'schema_version'],
  );
  const [row] =
    tables.length === 0
      ? []
      : await run(
          `SELECT version, lowest_compatible FROM ${keyspace}.schema_version WHERE product = ? LIMIT 1`,
          [PRODUCT],
        );
  return { version: row?.['version'] ?? 0, lowestCompatible: row?.['lowest_compatible'] ?? 0 };
}

/** Records the version after its last statement, so that one that was interrupted is applied again as a whole. */
async function applyVersion(client: Client, schema: SchemaVersion): Promise<void> {
  for (const statement of schema.statements) await changeSchema(client, statement);
  await client.execute(
    'INSERT INTO schema_version (product, version, lowest_compatible, applied_at) VALUES (?, ?, ?, ?)',
    [PRODUCT, schema.version, schema.lowestCompatible, new Date()],
  );
}

async function changeSchema(client: Client, statement: string): Promise<void> {
  const result = await client.execute(statement, [], { prepare: false });
  // The driver waits for agreement after every change; its types leave out what came of it.
  const { isSchemaInAgreement } = result.info as { isSchemaInAgreement?: boolean };
  if (isSchemaInAgreement !== true) {
    throw new Error('migrating the schema: the nodes do not agree on it; repeat this when they do');
  }
}

function createKeyspace({ keyspace, replication }: MigrateOptions): string {
  return `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = ${replicationMap(replication)}`;
}

function replicationMap(replication: Replication): string {
  switch (replication.strategy) {
    case 'simple':
      return `{ 'class': 'SimpleStrategy', 'replication_factor': ${replication.factor} }`;
    case 'network': {
      const factors = Object.entries(replication.factors).map(
        ([datacenter, factor]) => `'${datacenter.replaceAll("'", "''")}': ${factor}`,
      );
      return `{ ${["'class': 'NetworkTopologyStrategy'", ...factors].join(', ')} }`;
    }
  }
}
