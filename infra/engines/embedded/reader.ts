import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { handlingGroupOf, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import type { Store } from '../../../topics/ports/store.ts';
import type { PartitionLag } from '../shared/lag.ts';
import { DATABASE_FILE, reading, readPragma } from './database.ts';
import { DataFileError, UnknownDatabaseError } from './failures.ts';
import { GroupCommit } from './group-commit.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { EmbeddedStore } from './store.ts';

/** Longest wait for a writer that locks the whole file, which takes milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

export interface EmbeddedReader {
  readonly store: Pick<Store, 'read' | 'list'>;
  /** Returns the progress of the group that handles each topic, by partition. */
  lags(): Promise<PartitionLag[]>;
  close(): Promise<void>;
}

/**
 * Opens the database of a data folder for reading, also while a service uses it. Nothing is created or changed.
 *
 * @throws {UnknownDatabaseError} if a newer version of the program has written the file
 * @throws {DataFileError} if the file cannot be read, or a version of the program before this one has written it
 */
export function openEmbeddedReader(folder: string): EmbeddedReader {
  const database = openReadOnly(join(folder, DATABASE_FILE));
  const writer = new GroupCommit(
    database,
    async () => {},
    () => {},
  );
  const statement = database.prepare(LAGS);
  return {
    store: new EmbeddedStore(database, writer),
    lags: async () =>
      reading('log', () =>
        TOPIC_NAMES.flatMap((topic) =>
          statement.all(handlingGroupOf(topic), topic).map(
            ({ generation, partition, records, committed }): PartitionLag => ({
              topic,
              generation: Number(generation),
              partition: Number(partition),
              records: Number(records),
              lag: Number(records) - Number(committed),
            }),
          ),
        ),
      ),
    close: async () => {
      await writer.close();
      database.close();
    },
  };
}

/** A group that has never read begins at the first stored record. */
const LAGS = `
SELECT generation, partition, log_partition.next_offset AS records, coalesce(
  log_group.next_offset, (SELECT min(offset) FROM log_record WHERE partition_id = id), log_partition.next_offset
) AS committed
FROM log_partition LEFT JOIN log_group ON partition_id = id AND group_name = ?
WHERE topic = ? ORDER BY generation, partition`;

function openReadOnly(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const found = Number(readPragma(database, 'user_version'));
    if (found === CURRENT_SCHEMA.version) return database;
    database.close();
    if (found > CURRENT_SCHEMA.version) throw UnknownDatabaseError.newer(found, CURRENT_SCHEMA.version);
    throw new Error(`it has schema version ${found}; start this version of the service once`);
  } catch (error) {
    throw error instanceof UnknownDatabaseError ? error : new DataFileError(path, error);
  }
}
