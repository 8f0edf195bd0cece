import type { Client, types } from 'cassandra-driver';
import { TABLES } from '../../../topics/catalogue.ts';
import { type CassandraOptions, createClient } from './driver.ts';
import { allStatements, readSchemaVersions, type SchemaVersion, tableStatements } from './schema-files.ts';
import { type CassandraSession, connect } from './session.ts';

/** The replication of a keyspace. */
export type Replication =
  /** For development in one datacenter, without regard to racks. */
  | { readonly strategy: 'simple'; readonly factor: number }
  /** Replicas by datacenter. */
  | { readonly strategy: 'network'; readonly factors: Readonly<Record<string, number>> };

export interface MigrateOptions extends CassandraOptions {
  /** For a new keyspace; an existing one keeps its own. */
  readonly replication: Replication;
}

export interface Migration {
  /** The version before the migration; 0 for a new schema. */
  readonly from: number;
  readonly to: number;
  /** Tables of products that the earlier version lacked. */
  readonly added: readonly string[];
}

/** The name of this product in `schema_version`. */
const PRODUCT = 'svc';

/** Timeout of a change of the schema: it waits until every node has it. */
const SCHEMA_REQUEST_TIMEOUT_MS = 30_000;

/**
 * Migrates the schema to the newest version that this program knows, one version after the other, and adds the tables
 * of new products. Does nothing if the schema is up to date. It may be repeated, also after any interruption, but
 * only one process may run it at a time: Cassandra does not order changes of the schema by several nodes.
 *
 * @throws {Error} if the schema has a newer version than this program: a migration never goes backwards
 * @throws {EngineUnavailableError} if no node answers
 */
export async function migrate(options: MigrateOptions): Promise<Migration> {
  const versions = await readSchemaVersions();
  return applySchemaVersions(options, versions);
}

/** Like {@link migrate}, with given versions, oldest first and without a gap, and given tables of products. */
export async function applySchemaVersions(
  options: MigrateOptions,
  versions: readonly [SchemaVersion, ...SchemaVersion[]],
  products: readonly string[] = TABLES,
): Promise<Migration> {
  const client = createClient({ ...options, requestTimeoutMs: SCHEMA_REQUEST_TIMEOUT_MS });
  await connect(client);
  try {
    const newest = versions.at(-1)?.version ?? 0;
    const run: RunQuery = async (query, params) => (await client.execute(query, [...params])).rows;
    const { version: from } = await appliedSchema(options.keyspace, run);
    if (from > newest) {
      throw new Error(`migrating the schema: it has version ${from}, and this program knows only ${newest}`);
    }
    if (from === 0) await changeSchema(client, createKeyspace(options));
    await client.execute(`USE ${options.keyspace}`, [], { prepare: false });
    const added = from === 0 ? [] : await missingTables(options.keyspace, products, run);
    for (const version of versions.slice(0, from)) {
      for (const statement of tableStatements(version, added)) await changeSchema(client, statement);
    }
    for (const version of versions.slice(from)) await applyVersion(client, version, products);
    return { from, to: newest, added };
  } finally {
    await client.shutdown();
  }
}

/**
 * Checks that the schema and this program match: the schema has at least the program's version and a table for each
 * of its products, and later versions of the schema still support the program.
 *
 * @throws {Error} if they do not; the message says what to do
 * @throws {EngineUnavailableError} if no node answers
 */
export async function requireSchema(session: CassandraSession, known: SchemaVersion): Promise<void> {
  const run: RunQuery = (query, params) => session.read('store', { query, params }, 'LOCAL_QUORUM');
  const applied = await appliedSchema(session.keyspace, run);
  if (applied.version < known.version) {
    throw new Error(
      `opening the schema: it has version ${applied.version} and needs ${known.version}; migrate it first (npm run ops -- migrate)`,
    );
  }
  if (applied.lowestCompatible > known.version) {
    throw new Error(
      `opening the schema: version ${applied.version} needs a program of version ${applied.lowestCompatible} or later, and this one has ${known.version}`,
    );
  }
  const missing = await missingTables(session.keyspace, TABLES, run);
  if (missing.length > 0) {
    throw new Error(
      `opening the schema: it has no table ${missing.join(', ')}; migrate it first (npm run ops -- migrate)`,
    );
  }
}

/** Returns the tables of products that a keyspace lacks. */
async function missingTables(
  keyspace: string,
  products: readonly string[],
  run: RunQuery,
): Promise<string[]> {
  const rows = await run('SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', [keyspace]);
  const there = new Set(rows.map((row) => String(row['table_name'])));
  return products.filter((table) => !there.has(table));
}

type RunQuery = (query: string, params: readonly unknown[]) => Promise<types.Row[]>;

interface AppliedSchema {
  readonly version: number;
  readonly lowestCompatible: number;
}

/** Returns the newest applied version; version 0 if there is none, or no keyspace. */
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

/** Records the version after its last statement, so that an interrupted one is applied again as a whole. */
async function applyVersion(
  client: Client,
  schema: SchemaVersion,
  products: readonly string[],
): Promise<void> {
  for (const statement of allStatements(schema, products)) await changeSchema(client, statement);
  await client.execute(
    'INSERT INTO schema_version (product, version, lowest_compatible, applied_at) VALUES (?, ?, ?, ?)',
    [PRODUCT, schema.version, schema.lowestCompatible, new Date()],
  );
}

async function changeSchema(client: Client, statement: string): Promise<void> {
  const result = await client.execute(statement, [], { prepare: false });
  // The driver waits for schema agreement after every change; its types lack the result.
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
