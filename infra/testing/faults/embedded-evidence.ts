import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { TableName, TopicName } from '../../../topics/catalogue.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import { StoredInFile } from '../e2e/stored-in-file.fixture.ts';
import type { Stored } from './stage.ts';
import { type AggregateState, aggregateName, rowName } from './state.ts';

/** Time for the service to finish the remaining work, and the interval between checks of it. */
const QUIET_MS_MAX = 90_000;
const POLL_INTERVAL_MS = 250;
/** Checks in a row that have to find no work: a follow-up can be between two topics. */
const QUIET_LOOKS = 4;

/**
 * Waits until the service has nothing left to do, and reads every record and every row of its database.
 *
 * @throws {Error} when the service does not come to rest in time.
 */
export async function readEmbedded(dataFolder: string): Promise<Stored> {
  await untilQuiet(new StoredInFile(dataFolder));
  const database = new DatabaseSync(join(dataFolder, DATABASE_FILE), { readOnly: true });
  try {
    database.exec('BEGIN');
    return { records: readRecords(database), aggregates: readAggregates(database) };
  } finally {
    database.close();
  }
}

async function untilQuiet(stored: StoredInFile): Promise<void> {
  const deadline = Date.now() + QUIET_MS_MAX;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const { unhandled, unsent, unwritten } = await stored.work();
    quiet = unhandled + unsent + unwritten === 0 ? quiet + 1 : 0;
    if (Date.now() > deadline)
      throw new Error(`waiting for the service to come to rest: ${unhandled} ${unsent} ${unwritten}`);
    await pause(POLL_INTERVAL_MS);
  }
}

function readRecords(database: DatabaseSync): LogRecord[] {
  const rows = database
    .prepare(
      `SELECT topic, generation, partition, offset, key, value, appended_at FROM log_record
       JOIN log_partition ON log_partition.id = partition_id ORDER BY generation, offset`,
    )
    .all();
  return rows.map((row) => ({
    topic: String(row['topic']) as TopicName,
    generation: Number(row['generation']),
    partition: Number(row['partition']),
    offset: Number(row['offset']),
    key: String(row['key']),
    value: String(row['value']),
    appendedAt: Number(row['appended_at']),
  }));
}

function readAggregates(database: DatabaseSync): Map<string, AggregateState> {
  // A kill may leave what an aggregate has asked for until it is loaded again, although all of that was done.
  const rows = database.prepare(
    "SELECT aggregate, kind, id, document FROM aggregate_row WHERE kind <> 'pending'",
  );
  const rowsOf = Map.groupBy(rows.all(), ({ aggregate }) => aggregate);
  const aggregates = new Map<string, AggregateState>();
  for (const root of database.prepare('SELECT * FROM aggregate_root').all()) {
    const table = String(root['table_name']) as TableName;
    const id = String(root['id']);
    const own = rowsOf.get(root['number'] ?? null) ?? [];
    aggregates.set(aggregateName(table, id), {
      table,
      id,
      applied: { generation: Number(root['applied_generation']), offset: Number(root['applied_offset']) },
      root: JSON.parse(String(root['document'])),
      rows: new Map(
        own.map((row) => [
          rowName(String(row['kind']), String(row['id'])),
          JSON.parse(String(row['document'])),
        ]),
      ),
    });
  }
  return aggregates;
}
