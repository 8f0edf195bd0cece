import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { Blobs } from '../../../topics/ports/blobs.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { Log } from '../../../topics/ports/log.ts';
import type { Store } from '../../../topics/ports/store.ts';
import type { Engine } from '../engine/ports.ts';
import type { ConsumerWatch } from '../reports/consumer-watch.ts';
import type { Instruments } from './instruments.ts';
import type { Metering } from './metering.ts';

/**
 * The same engine, whose commits, appends and blobs are counted.
 *
 * @param watch of its consumers, which are measured with each reading
 */
export function meteredEngine(engine: Engine, watch: ConsumerWatch, metering: Metering): Engine {
  const { instruments } = metering;
  const scarce = instruments.gauge('scarceRoom');
  const clock = instruments.gauge('clockAhead');
  metering.onRead(() => {
    scarce.set(engine.room() === 'scarce' ? 1 : 0);
    clock.set(engine.logClock.aheadMs() / SECOND_MS);
  });
  metering.onRead(consumerGauges(instruments, watch, () => engine.logClock.now()));
  return {
    ...engine,
    log: meteredLog(engine.log, metering),
    store: meteredStore(engine.store, instruments),
    blobs: meteredBlobs(engine.blobs, instruments),
  };
}

function meteredStore(store: Store, instruments: Instruments): Store {
  const seconds = instruments.histogram('commitSeconds');
  return {
    load: (aggregate, rows) => store.load(aggregate, rows),
    read: (aggregate, rows) => store.read(aggregate, rows),
    list: (aggregate, kind, options) => store.list(aggregate, kind, options),
    commit: async (aggregate, expectedVersion, changes) => {
      const begun = performance.now();
      let result = 'failed';
      try {
        const answer = await store.commit(aggregate, expectedVersion, changes);
        result = answer;
        return answer;
      } catch (error) {
        if (error instanceof CommitUnknownError) result = 'unknown';
        throw error;
      } finally {
        seconds(aggregate.table, result).observe((performance.now() - begun) / SECOND_MS);
      }
    },
  };
}

/** An append that takes longer counts as failed with the next reading: its end can be minutes away while the log hangs. */
export const APPEND_MS_MAX = 5 * SECOND_MS;

function meteredLog(log: Log, { instruments, onRead }: Metering): Log {
  const seconds = instruments.histogram('appendSeconds');
  const open = new Set<{ readonly topic: string; readonly startedAt: number }>();
  const count = (append: { readonly topic: string; readonly startedAt: number }, result: string) => {
    // Once: it may have counted as failed before its end.
    if (!open.delete(append)) return;
    seconds(append.topic, result).observe((performance.now() - append.startedAt) / SECOND_MS);
  };
  onRead(() => {
    const before = performance.now() - APPEND_MS_MAX;
    for (const append of open) if (append.startedAt <= before) count(append, 'failed');
  });
  return {
    append: async (records) => {
      const append = { topic: records[0]?.topic ?? '', startedAt: performance.now() };
      open.add(append);
      let result = 'failed';
      try {
        await log.append(records);
        result = 'done';
      } finally {
        count(append, result);
      }
    },
    consume: (subscription) => log.consume(subscription),
  };
}

/** Returns the measurement of the partitions that this process consumes. */
function consumerGauges(
  instruments: Instruments,
  watch: ConsumerWatch,
  now: () => number,
): () => Promise<void> {
  const lags = instruments.gauge('lag');
  const ages = instruments.gauge('oldestAge');
  const halts = instruments.gauge('haltedPartitions');
  return async () => {
    for (const gauge of [lags, ages, halts]) gauge.reset();
    const halted = new Map<string, { topic: string; group: string; count: number }>();
    for (const { group, topic, partition, lag, oldestAt, halted: reason } of await watch.read()) {
      const labels = [topic, String(partition), group] as const;
      lags.set(lag, ...labels);
      ages.set(oldestAt === null ? 0 : Math.max(0, now() - oldestAt) / SECOND_MS, ...labels);
      const { count } = halted.get(`${topic} ${group}`) ?? { count: 0 };
      halted.set(`${topic} ${group}`, { topic, group, count: count + Number(reason !== null) });
    }
    for (const { topic, group, count } of halted.values()) halts.set(count, topic, group);
  };
}

function meteredBlobs(blobs: Blobs, instruments: Instruments): Blobs {
  const bytes = instruments.counter('blobBytes');
  const written = bytes('written');
  const read = bytes('read');
  return {
    size: (address) => blobs.size(address),
    remove: (address) => blobs.remove(address),
    removeGroup: (group) => blobs.removeGroup(group),
    create: (address, options) => {
      const writer = blobs.create(address, options);
      return {
        write: (chunk) => {
          written.inc(chunk.length);
          return writer.write(chunk);
        },
        close: () => writer.close(),
        abort: () => writer.abort(),
      };
    },
    read: async (address, range) => {
      const chunks = await blobs.read(address, range);
      return chunks === null ? null : counted(chunks, (length) => read.inc(length));
    },
  };
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
