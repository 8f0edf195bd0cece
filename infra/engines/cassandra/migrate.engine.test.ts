import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { TABLES } from '../../../topics/catalogue.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { dropKeyspace, newOptions } from './cassandra-engine.fixture.ts';
import { type CassandraOptions, createClient } from './driver.ts';
import { openCassandraEngine } from './engine.ts';
import { applySchemaVersions, type MigrateOptions, migrate } from './migrate.ts';
import { readSchemaVersions, type SchemaVersion } from './schema-files.ts';

const known = await readSchemaVersions();
const newest = known.at(-1)!.version;

describe('migrate', () => {
  const used: CassandraOptions[] = [];
  const fresh = (): MigrateOptions => {
    const options = newOptions();
    used.push(options);
    return options;
  };
  afterEach(async () => {
    for (const options of used.splice(0)) await dropKeyspace(options);
  });

  it('creates every table, and does nothing the second time', async () => {
    const options = fresh();
    expect(await migrate(options)).toEqual({ from: 0, to: newest, added: [] });
    const tables = await rowsOf(options, 'SELECT id FROM system_schema.tables WHERE keyspace_name = ?');
    expect(await migrate(options)).toEqual({ from: newest, to: newest, added: [] });
    expect(await rowsOf(options, 'SELECT id FROM system_schema.tables WHERE keyspace_name = ?')).toEqual(
      tables,
    );
    const columns = 'SELECT table_name, column_name, kind, type FROM system_schema.columns';
    const shapes = (await rowsOf(options, `${columns} WHERE keyspace_name = ?`)) as Record<string, string>[];
    const shapeOf = (table: string) =>
      shapes.filter((row) => row['table_name'] === table).map(({ table_name: _, ...column }) => column);
    for (const table of TABLES) {
      expect(shapeOf(table)).toHaveLength(9);
      expect(shapeOf(table)).toEqual(shapeOf(TABLES[0]));
    }
  });

  it('creates the keyspace with the given replication, and leaves an existing one as it is', async () => {
    const options = {
      ...fresh(),
      replication: { strategy: 'network', factors: { datacenter1: 1 } },
    } as const;
    await migrate(options);
    const query = 'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?';
    const asked = [
      { replication: { class: 'org.apache.cassandra.locator.NetworkTopologyStrategy', datacenter1: '1' } },
    ];
    expect(await rowsOf(options, query)).toEqual(asked);
    await migrate({ ...options, replication: { strategy: 'simple', factor: 1 } });
    expect(await rowsOf(options, query)).toEqual(asked);
  });

  it('resumes after an interruption', async () => {
    const options = fresh();
    const [first] = known;
    const broken = { ...first, statements: [...first.statements.slice(0, 2), 'CREATE TABLE nonsense'] };
    await expect(applySchemaVersions(options, [broken])).rejects.toThrow();
    await expect(openCassandraEngine(options, new ManualClock())).rejects.toThrow('migrate it first');
    expect(await migrate(options)).toEqual({ from: 0, to: newest, added: [] });
  });

  it('applies only new versions, and rejects a newer schema', async () => {
    const options = fresh();
    await migrate(options);
    const next = laterVersion(newest + 1, 1);
    expect(await applySchemaVersions(options, [...known, next])).toEqual({
      from: newest,
      to: newest + 1,
      added: [],
    });
    await expect(migrate(options)).rejects.toThrow(
      `it has version ${newest + 1}, and this program knows only ${newest}`,
    );
  });

  it('adds the tables of new products, with every later change', async () => {
    const options = fresh();
    const earlier = TABLES.slice(1);
    const changed = laterVersion(newest + 1, 1, `ALTER TABLE {table} WITH comment = 'changed'`);
    await applySchemaVersions(options, [...known, changed], earlier);
    await expect(openCassandraEngine(options, new ManualClock())).rejects.toThrow(
      `it has no table ${TABLES[0]}; migrate it first`,
    );
    expect(await applySchemaVersions(options, [...known, changed])).toEqual({
      from: newest + 1,
      to: newest + 1,
      added: [TABLES[0]],
    });
    const query = 'SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?';
    const changedTables = (await rowsOf(options, query)).filter(
      (row) => 'comment' in row && row.comment === 'changed',
    );
    expect(changedTables).toHaveLength(TABLES.length);
    await (await openCassandraEngine(options, new ManualClock())).close();
  });

  it('lets a program run on a later schema if that is compatible with it', async () => {
    const options = fresh();
    await migrate(options);
    const compatible = laterVersion(newest + 1, newest);
    await applySchemaVersions(options, [...known, compatible]);
    const engine = await openCassandraEngine(options, new ManualClock());
    expect(await engine.digestIndex.get({ kind: 'credential', digest: 'd' })).toBeNull();
    await engine.close();
    const incompatible = laterVersion(newest + 2, newest + 1);
    await applySchemaVersions(options, [...known, compatible, incompatible]);
    await expect(openCassandraEngine(options, new ManualClock())).rejects.toThrow(
      `needs a program of version ${newest + 1} or later`,
    );
  });

  it('is demanded if there is no keyspace', async () => {
    await expect(openCassandraEngine(fresh(), new ManualClock())).rejects.toThrow('migrate it first');
  });

  it('names the existing datacenters if the configured one does not exist', async () => {
    const elsewhere = { ...fresh(), localDatacenter: 'nowhere' };
    await expect(openCassandraEngine(elsewhere, new ManualClock())).rejects.toMatchObject({
      cause: { message: expect.stringContaining('only found hosts in data centers: [datacenter1]') },
    });
  });

  it('rejects a keyspace whose name would need quotes', async () => {
    await expect(migrate({ ...fresh(), keyspace: 'svc"; DROP' })).rejects.toThrow(RangeError);
    used.pop();
  });

  afterAll(() => expect(used).toEqual([]));
});

function laterVersion(
  version: number,
  lowestCompatible: number,
  statement = `CREATE TABLE IF NOT EXISTS later_${version} (id text PRIMARY KEY)`,
): SchemaVersion {
  return { version, lowestCompatible, statements: [statement] };
}

async function rowsOf(options: CassandraOptions, query: string): Promise<object[]> {
  const client = createClient(options);
  try {
    const { rows } = await client.execute(query, [options.keyspace]);
    return rows.map((row) => ({ ...row }));
  } finally {
    await client.shutdown();
  }
}
