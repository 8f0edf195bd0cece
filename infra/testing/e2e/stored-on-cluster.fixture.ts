import type { Client, types } from 'cassandra-driver';
import { Redis } from 'ioredis';
import { TABLES } from '../../../topics/catalogue.ts';
import { createClient } from '../../engines/cassandra/driver.ts';
import { connect } from '../../engines/cassandra/session.ts';
import type { ClusterSettings } from '../../service/settings/cluster-settings.ts';
import { readSettings } from '../../service/settings/settings.ts';
import { RecordsOnCluster } from './records-on-cluster.fixture.ts';
import type { Place, StoredState, StoredWork } from './stored-state.fixture.ts';
import { textsOf } from './stored-texts.fixture.ts';

/** Full scans of small tables may take longer than one request of the service. */
const SCAN_TIMEOUT_MS = 90_000;

/** The row of an aggregate that is not one of the product's: the root, and what is pending. */
const OURS = '';

/** The tables of ports that are no aggregates'. */
const PLACES: Readonly<Record<string, Place>> = { lookup: 'lookups', blob: 'blobs' };

/** An effect of a commit, with the fields that are read here. */
type Effect =
  | { readonly kind: 'append'; readonly topic: string; readonly envelope: { readonly key: string } }
  | { readonly kind: 'lookup'; readonly entry: { kind: string; digest: string; version: number } }
  | { readonly kind: 'remove' };

/** Opens the state that a service with these variables has stored on Kafka, Cassandra and Redis. */
export async function openStoredOnCluster(
  environment: Readonly<Record<string, string>>,
): Promise<StoredOnCluster> {
  const { cluster } = readSettings(environment);
  if (cluster === null) throw new Error('looking at the cluster of a service that has none');
  const cassandra = createClient({ ...cluster.cassandra, requestTimeoutMs: SCAN_TIMEOUT_MS });
  await connect(cassandra);
  return new StoredOnCluster(cluster, cassandra);
}

/** The state that a service has stored on Kafka, Cassandra and Redis. */
export class StoredOnCluster implements StoredState {
  readonly #settings: ClusterSettings;
  readonly #cassandra: Client;
  readonly #redis: Redis;
  #reading: Promise<RecordsOnCluster> | null = null;

  constructor(settings: ClusterSettings, cassandra: Client) {
    this.#settings = settings;
    this.#cassandra = cassandra;
    this.#redis = new Redis(settings.redis.url);
  }

  async texts(): Promise<ReadonlyMap<Place, readonly string[]>> {
    const records = await (await this.#records()).all();
    const texts = new Map<Place, string[]>([
      ['log', records.flatMap(({ key, value }) => [key, value])],
      ['redis', await this.#redisTexts()],
    ]);
    for (const table of await this.#tables()) {
      const rows = await this.#rows(`SELECT * FROM ${this.#nameOf(table)}`);
      const place = placeOf(table);
      const values = rows.flatMap((row) => Object.values(row).flatMap(textsOf));
      texts.set(place, [...(texts.get(place) ?? []), ...values]);
    }
    return texts;
  }

  async blobNames(group: string): Promise<string[]> {
    const rows = await this.#rows(`SELECT blob_group, name FROM ${this.#nameOf('blob')}`);
    const names = rows
      .filter((row) => String(row['blob_group']).startsWith(group))
      .map((row) => String(row['name']));
    return [...new Set(names)].sort();
  }

  async rowKinds(aggregate: string): Promise<string[]> {
    const kinds = new Set<string>();
    for (const table of TABLES) {
      const query = `SELECT kind FROM ${this.#nameOf(table)} WHERE aggregate = ?`;
      for (const row of await this.#rows(query, [aggregate])) kinds.add(String(row['kind']));
    }
    kinds.delete(OURS);
    return [...kinds];
  }

  async work(): Promise<StoredWork> {
    // The log last: what was asked for before has to be in it by then.
    const effects = await this.#pendingEffects();
    const lookups = await this.#rows(
      `SELECT kind, digest, WRITETIME(entry) AS version FROM ${this.#nameOf('lookup')}`,
    );
    const log = await this.#records();
    const unhandled = await log.unhandled();
    const records = await log.all();
    const written = new Map(
      lookups.map((row) => [`${row['kind']} ${row['digest']}`, Number(row['version'])]),
    );
    const sent = new Set(records.map(({ topic, value }) => `${topic} ${JSON.parse(value).key}`));
    return {
      deadLetters: records.filter(({ topic }) => topic === 'dead-letters').length,
      unhandled,
      unsent: effects.filter((effect) => effect.kind === 'append' && !sent.has(sentAs(effect))).length,
      unwritten: effects.filter(
        (effect) =>
          effect.kind === 'lookup' &&
          (written.get(`${effect.entry.kind} ${effect.entry.digest}`) ?? -1) < effect.entry.version,
      ).length,
    };
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await (await this.#reading)?.close();
    await this.#cassandra.shutdown();
  }

  /** Reads the topics from the first time on that anybody asks for them. */
  #records(): Promise<RecordsOnCluster> {
    this.#reading ??= RecordsOnCluster.open(this.#settings.kafka);
    return this.#reading;
  }

  async #pendingEffects(): Promise<Effect[]> {
    const effects: Effect[] = [];
    for (const table of TABLES) {
      const rows = await this.#rows(`SELECT kind, id, document FROM ${this.#nameOf(table)}`);
      for (const row of rows.filter(({ kind, id }) => kind === OURS && id === 'pending')) {
        const documents: { effects: Effect[] }[] = Object.values(JSON.parse(row['document']));
        effects.push(...documents.flatMap((document) => document.effects));
      }
    }
    return effects;
  }

  async #redisTexts(): Promise<string[]> {
    const texts: string[] = [];
    for await (const keys of this.#redis.scanStream({ match: `${this.#settings.redis.prefix}*` })) {
      for (const key of keys as string[]) texts.push(key, JSON.stringify(await this.#redisValue(key)));
    }
    return texts;
  }

  async #redisValue(key: string): Promise<unknown> {
    const type = await this.#redis.type(key);
    if (type === 'string') return this.#redis.get(key);
    if (type === 'set') return this.#redis.smembers(key);
    if (type === 'zset') return this.#redis.zrange(key, '0', '-1');
    return this.#redis.hgetall(key);
  }

  async #tables(): Promise<string[]> {
    const query = 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?';
    const rows = await this.#rows(query, [this.#settings.cassandra.keyspace]);
    return rows.map((row) => String(row['table_name']));
  }

  #nameOf(table: string): string {
    return `${this.#settings.cassandra.keyspace}."${table}"`;
  }

  async #rows(query: string, params: readonly string[] = []): Promise<types.Row[]> {
    const { rows } = await this.#cassandra.execute(query, [...params]);
    return rows;
  }
}

function placeOf(table: string): Place {
  const aggregates: readonly string[] = TABLES;
  return aggregates.includes(table) ? 'store' : (PLACES[table] ?? table);
}

function sentAs({ topic, envelope }: Extract<Effect, { kind: 'append' }>): string {
  return `${topic} ${envelope.key}`;
}
