import { randomBytes } from 'node:crypto';
import { eachBounded } from '../../../../processors/runtime/bounded.ts';
import { TOPICS } from '../../../../topics/catalogue.ts';
import { createClient as createCassandra } from '../../../engines/cassandra/driver.ts';
import { createClient as createKafka } from '../../../engines/kafka/client.ts';
import { groupIdOf, topicNameOf } from '../../../engines/kafka/options.ts';
import type { Settings } from '../../../service/settings.ts';
import { TOPIC } from './fold.ts';

const BATCH_COMMANDS = 256;
/** Of one partition. */
const AGGREGATES_AT_ONCE = 16;
const REQUEST_TIMEOUT_MS = 30_000;
const FETCH_BYTES = 4 * 1_024 * 1_024;
const TABLE = TOPICS[TOPIC].table;

/** The members of an envelope that the bare fold looks at. */
interface Event {
  readonly key: string;
  readonly inputDigest: string;
  readonly input: { readonly subject: string; readonly event: string };
}

/**
 * Folds the records of a topic the shortest way that is still exact: a consumer of kafkajs, one conditional batch of the
 * driver for each aggregate and 256 events, a row for the subject and one for the outcome. Nothing is parsed but the JSON,
 * looked up, published or recovered: it is what the machine allows.
 */
export async function foldBare({ cluster }: Settings, commands: number): Promise<void> {
  if (cluster === null) throw new Error('folding without an engine of ours takes the servers of a cluster');
  const table = `${cluster.cassandra.keyspace}."${TABLE}"`;
  const updateRoot = `UPDATE ${table} SET version = ?, batch_id = ?, applied_generation = 1, applied_offset = ?,
    document = ? WHERE aggregate = ? AND kind = '' AND id = '' IF version = ?`;
  const insert = `INSERT INTO ${table} (aggregate, kind, id, document) VALUES (?, ?, ?, ?)`;
  const cassandra = createCassandra({ ...cluster.cassandra, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  await cassandra.connect();
  const consumer = createKafka(cluster.kafka, { warn: () => undefined, error: () => undefined }).consumer({
    groupId: groupIdOf(cluster.kafka.prefix, 'bare', TOPIC, 1),
    maxBytesPerPartition: FETCH_BYTES,
    maxBytes: FETCH_BYTES * TOPICS[TOPIC].partitions,
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  await consumer.subscribe({ topics: [topicNameOf(cluster.kafka.prefix, TOPIC, 1)], fromBeginning: true });
  // Under names of this run, so that the same records can be folded by us and again.
  const run = randomBytes(4).toString('hex');
  const versions = new Map<string, number>();
  const done = Promise.withResolvers<void>();
  let folded = 0;

  const foldAggregate = async (id: string, events: readonly (readonly [number, Event])[]): Promise<void> => {
    for (let from = 0; from < events.length; from += BATCH_COMMANDS) {
      const chunk = events.slice(from, from + BATCH_COMMANDS);
      const held = versions.get(id) ?? 0;
      versions.set(id, held + 1);
      const rows = chunk.flatMap(([offset, { key, input, inputDigest }]) => [
        {
          query: insert,
          params: [id, 'subject', input.subject, JSON.stringify({ count: 1, last: input.event, at: offset })],
        },
        {
          query: insert,
          params: [id, 'outcome', key, JSON.stringify({ inputDigest, at: offset, result: input })],
        },
      ]);
      const root = JSON.stringify({ events: held });
      const batchId = randomBytes(16).toString('hex');
      const last = BigInt(chunk.at(-1)?.[0] ?? 0);
      const held64 = held === 0 ? null : BigInt(held);
      const update = { query: updateRoot, params: [BigInt(held + 1), batchId, last, root, id, held64] };
      const result = await cassandra.batch([update, ...rows], { logged: false, prepare: true });
      if (!result.wasApplied()) throw new Error('folding bare: an aggregate has another writer');
    }
  };
  await consumer.run({
    partitionsConsumedConcurrently: TOPICS[TOPIC].partitions,
    eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary }) => {
      const groups = new Map<string, [number, Event][]>();
      for (const { key, value, offset } of batch.messages) {
        const id = `${run}-${key?.toString()}`;
        const group = groups.get(id) ?? [];
        groups.set(id, group);
        group.push([Number(offset), JSON.parse(String(value))]);
      }
      try {
        await eachBounded([...groups], AGGREGATES_AT_ONCE, ([id, group]) => foldAggregate(id, group));
        resolveOffset(batch.lastOffset());
        await commitOffsetsIfNecessary();
        folded += batch.messages.length;
        if (folded >= commands) done.resolve();
      } catch (error) {
        done.reject(error);
      }
    },
  });
  await done.promise;
  await consumer.disconnect();
  await cassandra.shutdown();
}
