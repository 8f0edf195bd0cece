// Reads: what an event costs, as it was measured.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const microseconds = z.number().nonnegative();
const bytes = z.number().positive();

/**
 * The costs of one event, from the request to its durable outcome. Times are CPU time in microseconds, on one core of the
 * machine that `measured` names. Work that is done in batches has two costs: for each event, and for each
 * batch of events of one aggregate.
 */
export const costsSchema = z.strictObject({
  measured: z.strictObject({ command: z.string(), on: z.iso.date(), machine: z.string() }),
  /** Of the gateway: HTTP, validation, the append, the wait for the outcome, the answer. */
  gateway: z.strictObject({ event: microseconds }),
  /** Of the processor: reading, folding, committing, publishing the outcome. */
  processor: z.strictObject({ event: microseconds, batch: microseconds }),
  /** Of one broker, without replication. */
  kafka: z.strictObject({ append: microseconds, read: microseconds }),
  /** Of one node, without replication. A batch is one conditional write. */
  cassandra: z.strictObject({ event: microseconds, batch: microseconds }),
  redis: z.strictObject({ event: microseconds }),
  /** The disk space of one copy of an event: its record, and its part of the state. */
  stored: z.strictObject({ kafka: bytes, cassandra: bytes }),
});

export type Costs = z.infer<typeof costsSchema>;

export const COSTS_FILE = new URL('costs.json', import.meta.url);

/** The costs that `npm run bench:capacity -- --write` left. */
export function readCosts(): Costs {
  return costsSchema.parse(JSON.parse(readFileSync(COSTS_FILE, 'utf8')));
}
