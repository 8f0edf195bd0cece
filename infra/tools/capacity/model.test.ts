import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BATCH_COMMANDS_MAX } from '../../../processors/runtime/command-handler.ts';
import type { Costs } from './costs.ts';
import { aggregateLimit, DEFAULT_ASSUMPTIONS, type Demand, planFor } from './model.ts';

/** Round numbers, so that a plan can be worked out by hand. */
const COSTS: Costs = {
  measured: { command: 'by hand', on: '2026-01-01', machine: 'none' },
  gateway: { event: 200 },
  processor: { event: 40, batch: 600 },
  kafka: { append: 10, read: 10 },
  cassandra: { event: 100, batch: 900 },
  redis: { event: 5 },
  stored: { kafka: 500, cassandra: 200 },
};

const plan = (demand: Demand, assumptions = {}) =>
  planFor(demand, COSTS, { ...DEFAULT_ASSUMPTIONS, ...assumptions });

describe('planFor', () => {
  it('equals a calculation by hand', () => {
    const demand = { eventsPerSecond: 100_000, aggregates: 10_000 };
    // 10 events a second of one aggregate, and turns of 100 ms: one a batch, so each event pays for its batch alone.
    expect(plan(demand, { turnMs: 100, average: 1, kafkaDays: 1, cassandraDays: 1 })).toEqual({
      batchDepth: 1,
      processors: 128, // 100,000 × 640 µs are 64 cores, half busy
      partitions: 256,
      gateways: 40, // 100,000 × 200 µs are 20 cores, half busy
      brokers: 4, // by CPU 1, by disk 4.3 TB a day and copy: 12.96 TB on 4 TB each
      nodes: 38, // 100,000 × 1,000 µs × 3 copies are 300 cores, half busy, 16 a node
      redisCores: 1,
      kafkaBytesPerSecond: 150_000_000,
      kafkaBytes: 12_960_000_000_000,
      cassandraBytes: 5_184_000_000_000,
    });
  });

  it('shares the price of a batch among the events of one turn', () => {
    const spread = plan({ eventsPerSecond: 100_000, aggregates: 100_000 }, { cassandraDays: 1 });
    const gathered = plan({ eventsPerSecond: 100_000, aggregates: 100 }, { cassandraDays: 1 });
    expect(spread.batchDepth).toBe(1);
    expect(gathered.batchDepth).toBe(20);
    expect(gathered.processors).toBeLessThan(spread.processors);
    expect(gathered.nodes).toBeLessThan(spread.nodes);
    expect(gathered.gateways).toBe(spread.gateways);
  });

  it('commits no more at once than the runtime does', () => {
    expect(plan({ eventsPerSecond: 1_000_000, aggregates: 1 }).batchDepth).toBe(BATCH_COMMANDS_MAX);
  });

  it('keeps two of everything of ours, and as many servers as there are copies', () => {
    expect(plan({ eventsPerSecond: 1, aggregates: 1 })).toMatchObject({
      processors: 2,
      gateways: 2,
      brokers: 3,
      nodes: 3,
    });
  });

  it('never needs less for more', () => {
    const rate = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(rate, rate, fc.integer({ min: 1, max: 10_000 }), (one, other, rateOfOne) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((eventsPerSecond) =>
          plan({ eventsPerSecond, aggregates: Math.max(1, eventsPerSecond / rateOfOne) }, { turnMs: 1 }),
        );
        for (const part of ['gateways', 'brokers', 'kafkaBytes', 'cassandraBytes', 'redisCores'] as const) {
          expect(more![part]).toBeGreaterThanOrEqual(less![part]);
        }
      }),
    );
  });
});

describe('aggregateLimit', () => {
  it('is what one processor folds when batches are as deep as they get', () => {
    expect(aggregateLimit(COSTS)).toBeCloseTo(1_000_000 / (40 + 600 / BATCH_COMMANDS_MAX));
  });
});
