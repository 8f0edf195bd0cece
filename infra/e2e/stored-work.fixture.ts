import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What a service on the embedded engine has left to do, and what it could not do. */
export interface StoredWork {
  /** Records that nobody could handle. */
  readonly deadLetters: number;
  /** Records that a group of consumers has not handled yet; a sweeper stays behind on purpose. */
  readonly unhandled: number;
  /** Commands that a commit has asked for and that are not in their topic. */
  readonly unsent: number;
  /** Look-ups that a commit has asked for and that are not there. */
  readonly unwritten: number;
}

/**
 * A `pending` row that a kill has left may stay until its aggregate is loaded again, as long as all that it asks for was
 * done: that has to be so once the record that asked for it counts as handled.
 */
const PENDING = `aggregate_row, json_each(aggregate_row.document, '$.effects') AS effect
  WHERE aggregate_row.kind = 'pending'`;

const QUERIES: Readonly<Record<keyof StoredWork, string>> = {
  deadLetters: `SELECT count(*) AS count FROM log_record JOIN log_partition ON log_partition.id = partition_id
    WHERE topic = 'dead-letters'`,
  unhandled: `SELECT coalesce(sum(log_partition.next_offset - coalesce(log_group.next_offset, 0)), 0) AS count
    FROM log_partition LEFT JOIN log_group ON log_group.partition_id = log_partition.id
    AND group_name NOT LIKE 'sweep-%' WHERE topic <> 'dead-letters'`,
  unsent: `SELECT count(*) AS count FROM ${PENDING} AND effect.value ->> 'kind' = 'append' AND NOT EXISTS (
    SELECT 1 FROM log_record JOIN log_partition ON log_partition.id = partition_id
    WHERE topic = effect.value ->> 'topic' AND log_record.value ->> 'key' = effect.value ->> '$.envelope.key')`,
  unwritten: `SELECT count(*) AS count FROM ${PENDING} AND effect.value ->> 'kind' = 'lookup' AND NOT EXISTS (
    SELECT 1 FROM lookup WHERE digest = effect.value ->> '$.entry.digest'
    AND lookup.kind = effect.value ->> '$.entry.kind' AND version >= effect.value ->> '$.entry.version')`,
};

/** Looks into the data folder of a service, which may be running. */
export function storedWork(dataFolder: string): StoredWork {
  const database = new DatabaseSync(join(dataFolder, 'engine.db'), { readOnly: true });
  const count = (name: keyof StoredWork) => Number(database.prepare(QUERIES[name]).get()?.['count']);
  try {
    return {
      deadLetters: count('deadLetters'),
      unhandled: count('unhandled'),
      unsent: count('unsent'),
      unwritten: count('unwritten'),
    };
  } finally {
    database.close();
  }
}
