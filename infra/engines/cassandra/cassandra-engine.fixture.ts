import { randomBytes } from 'node:crypto';
import type { AggregateRef, RowKey } from '../../../topics/ports/store.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { CASSANDRA_DATACENTER } from '../../tools/cluster/addresses.ts';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { type CassandraOptions, createClient } from './driver.ts';
import { type CassandraEngine, openCassandraEngine } from './engine.ts';
import { migrate } from './migrate.ts';

/** Returns the server of the tests. Without one, these tests do not run. */
export function cassandraAddress(): string {
  const addresses = engineAddresses();
  if (addresses === null) throw new Error('looking for a Cassandra to test on');
  return addresses.cassandra;
}

const DEVELOPMENT = { strategy: 'simple', factor: 1 } as const;

/** Returns options for a keyspace that no other test uses. It does not exist yet; {@link dropKeyspace} removes it. */
export function newOptions() {
  return {
    contactPoints: [cassandraAddress()],
    localDatacenter: CASSANDRA_DATACENTER,
    keyspace: `svc_test_${randomBytes(8).toString('hex')}`,
    replication: DEVELOPMENT,
  };
}

export async function dropKeyspace(options: CassandraOptions): Promise<void> {
  const client = createClient({ ...options, requestTimeoutMs: 30_000 });
  try {
    await client.execute(`DROP KEYSPACE IF EXISTS ${options.keyspace}`, [], { prepare: false });
  } finally {
    await client.shutdown();
  }
}

/** An engine on a separate keyspace. Tests set its clock and reopen it; closing drops the keyspace. */
export class CassandraEngineFixture {
  readonly options: CassandraOptions;
  readonly clock: ManualClock;
  #engine: CassandraEngine;

  static async open(overrides: Partial<CassandraOptions> = {}): Promise<CassandraEngineFixture> {
    const options = newOptions();
    await migrate(options);
    const under = { ...options, ...overrides };
    const clock = new ManualClock();
    return new CassandraEngineFixture(under, clock, await openCassandraEngine(under, clock));
  }

  private constructor(options: CassandraOptions, clock: ManualClock, engine: CassandraEngine) {
    this.options = options;
    this.clock = clock;
    this.#engine = engine;
  }

  get store() {
    return this.#engine.store;
  }

  get digestIndex() {
    return this.#engine.digestIndex;
  }

  get marks() {
    return this.#engine.marks;
  }

  get blobs() {
    return this.#engine.blobs;
  }

  async reopen(): Promise<void> {
    await this.#engine.close();
    this.#engine = await openCassandraEngine(this.options, this.clock);
  }

  /** Replaces the stored text of a row, or of the root. Conditional, because only such writes are ordered with commits. */
  async damage({ table, id }: AggregateRef, row: RowKey | 'root', text: string): Promise<void> {
    const client = createClient(this.options);
    try {
      const { kind, id: name } = row === 'root' ? { kind: '', id: '' } : row;
      const query = `UPDATE ${this.options.keyspace}.${table} SET document = ?
        WHERE aggregate = ? AND kind = ? AND id = ? IF document != null`;
      const { rows } = await client.execute(query, [text, id, kind, name], { prepare: true });
      if (rows[0]?.['[applied]'] !== true) throw new Error('damaging a document that is not there');
    } finally {
      await client.shutdown();
    }
  }

  /** Closes the engine and keeps its keyspace. */
  async stop(): Promise<void> {
    await this.#engine.close();
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await dropKeyspace({ ...newOptions(), keyspace: this.options.keyspace });
  }
}
