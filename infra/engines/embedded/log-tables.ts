import type { DatabaseSync } from 'node:sqlite';
import { FIRST_GENERATION, TOPIC_NAMES, TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import type { LogRecord, NewRecord } from '../../../topics/ports/log.ts';
import { type RecordShare, recordBytes } from '../shared/record-memory.ts';

/** Characters of values in one delivery, unless a single record has more. */
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Rows read at once, which is faster than singly: few enough for memory, however large their values are. */
const READ_AT_ONCE = 8;

/** One partition of one generation of a topic, with its row id. */
export interface LogPartition {
  readonly id: number;
  readonly topic: TopicName;
  readonly generation: number;
  readonly partition: number;
}

/** The stored records from an offset. */
export interface LogSlice {
  readonly records: readonly LogRecord[];
  /** The offset of the next appended record. */
  readonly end: number;
}

interface RecordRow {
  readonly offset: number;
  readonly key: string;
  readonly value: string;
  readonly appended_at: number;
}

/** The log's tables. All methods are synchronous; those that write are called inside a transaction. */
export class LogTables {
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #partitions: ReadonlyMap<TopicName, readonly LogPartition[]>;
  /** The ends of partitions by id. No other process appends. */
  readonly #ends = new Map<number, number>();

  /** @throws {Error} if the catalogue has another number of partitions than the topic was created with */
  constructor(database: DatabaseSync) {
    this.#statements = prepareStatements(database);
    database.exec('BEGIN IMMEDIATE');
    this.#partitions = new Map(TOPIC_NAMES.map((topic) => [topic, this.#openTopic(topic)]));
    database.exec('COMMIT');
  }

  partitions(topic: TopicName): readonly LogPartition[] {
    return this.#partitions.get(topic) ?? [];
  }

  partitionFor(record: NewRecord): LogPartition {
    const partition = this.partitions(record.topic)[partitionOf(record.key, TOPICS[record.topic].partitions)];
    if (partition === undefined) throw new Error(`appending to the unknown topic ${record.topic}`);
    return partition;
  }

  /**
   * Appends one record with the time `now`. It may be earlier than that of the previous record if the clock was set
   * back.
   */
  append({ id }: LogPartition, record: NewRecord, now: number): void {
    const offset = Number(this.#statements.advance.get(id)?.['offset']);
    this.#statements.insert.run(id, offset, record.key, record.value, now);
    this.#ends.set(id, offset + 1);
  }

  /** Returns at most `max` records from `offset`, and the end of the partition, as of one moment. */
  slice(partition: LogPartition, offset: number, max: number, share: RecordShare): LogSlice {
    const end = this.end(partition);
    if (offset === end) return { records: [], end };
    const { topic, generation } = partition;
    const records: LogRecord[] = [];
    let characters = 0;
    for (const { key, value, appended_at: appendedAt, offset: at } of this.#rows(partition, offset, max)) {
      characters += value.length;
      if (records.length > 0 && characters > BATCH_CHARACTERS_MAX) break;
      const record = {
        topic,
        generation,
        partition: partition.partition,
        offset: at,
        key,
        value,
        appendedAt,
      };
      if (!share.take(recordBytes(record))) break;
      records.push(record);
    }
    return { records, end };
  }

  *#rows({ id }: LogPartition, offset: number, max: number): Generator<RecordRow> {
    const { read } = this.#statements;
    const first = read.all(id, offset, Math.min(max, READ_AT_ONCE)) as unknown as RecordRow[];
    yield* first;
    const last = first.at(-1);
    if (last === undefined || first.length < READ_AT_ONCE) return;
    yield* read.iterate(id, last.offset + 1, max - first.length) as unknown as Iterable<RecordRow>;
  }

  end({ id }: LogPartition): number {
    const known = this.#ends.get(id);
    if (known !== undefined) return known;
    const end = Number(this.#statements.end.get(id)?.['next_offset']);
    this.#ends.set(id, end);
    return end;
  }

  /** Discards the cached ends. Call it after a rollback. */
  forgetEnds(): void {
    this.#ends.clear();
  }

  /** Registers a group, if it is new, at the first stored record. */
  registerGroup({ id }: LogPartition, group: string): void {
    this.#statements.registerGroup.run(group, id);
  }

  committed({ id }: LogPartition, group: string): number {
    return Number(this.#statements.committed.get(id, group)?.['next_offset']);
  }

  commit({ id }: LogPartition, group: string, nextOffset: number): void {
    this.#statements.commit.run(nextOffset, id, group);
  }

  /** Deletes at most `max` records older than `before` that every known group has committed. Returns their number. */
  prune(partition: LogPartition, before: number, max: number): number {
    const done = this.#doneByAll(partition);
    const last = this.#statements.lastPrunable.get(partition.id, done, max, before)?.['last'];
    return typeof last === 'number' ? Number(this.#statements.prune.run(partition.id, last).changes) : 0;
  }

  /** Records wait for their first group. */
  #doneByAll(partition: LogPartition): number {
    const slowest = this.#statements.slowest.get(partition.id)?.['next_offset'];
    return typeof slowest === 'number' ? slowest : 0;
  }

  #openTopic(topic: TopicName): LogPartition[] {
    const stored = Number(this.#statements.countPartitions.get(topic, FIRST_GENERATION)?.['count']);
    const { partitions: count } = TOPICS[topic];
    if (stored !== 0 && stored !== count) {
      throw new Error(
        `opening the topic ${topic}: it was made with ${stored} partitions, and the catalogue says ${count}`,
      );
    }
    return Array.from({ length: count }, (_, partition) => {
      this.#statements.createPartition.run(topic, FIRST_GENERATION, partition);
      const row = this.#statements.partition.get(topic, FIRST_GENERATION, partition);
      return { id: Number(row?.['id']), topic, generation: FIRST_GENERATION, partition };
    });
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    countPartitions: database.prepare(
      'SELECT count(*) AS count FROM log_partition WHERE topic = ? AND generation = ?',
    ),
    createPartition: database.prepare(
      'INSERT OR IGNORE INTO log_partition (topic, generation, partition) VALUES (?, ?, ?)',
    ),
    partition: database.prepare(
      'SELECT id FROM log_partition WHERE topic = ? AND generation = ? AND partition = ?',
    ),
    advance: database.prepare(
      'UPDATE log_partition SET next_offset = next_offset + 1 WHERE id = ? RETURNING next_offset - 1 AS offset',
    ),
    insert: database.prepare(
      'INSERT INTO log_record (partition_id, offset, key, value, appended_at) VALUES (?, ?, ?, ?, ?)',
    ),
    read: database.prepare(
      `SELECT offset, key, value, appended_at FROM log_record
       WHERE partition_id = ? AND offset >= ? ORDER BY offset LIMIT ?`,
    ),
    end: database.prepare('SELECT next_offset FROM log_partition WHERE id = ?'),
    registerGroup: database.prepare(
      `INSERT OR IGNORE INTO log_group (partition_id, group_name, next_offset)
       SELECT id, ?, coalesce((SELECT min(offset) FROM log_record WHERE partition_id = id), next_offset)
       FROM log_partition WHERE id = ?`,
    ),
    committed: database.prepare(
      'SELECT next_offset FROM log_group WHERE partition_id = ? AND group_name = ?',
    ),
    commit: database.prepare(
      'UPDATE log_group SET next_offset = ? WHERE partition_id = ? AND group_name = ?',
    ),
    slowest: database.prepare('SELECT min(next_offset) AS next_offset FROM log_group WHERE partition_id = ?'),
    // Every record before a sufficiently old one counts as old, even if a clock that was ahead gave it a later time.
    lastPrunable: database.prepare(
      `SELECT max(offset) AS last FROM
       (SELECT offset, appended_at FROM log_record WHERE partition_id = ? AND offset < ? ORDER BY offset LIMIT ?)
       WHERE appended_at < ?`,
    ),
    prune: database.prepare('DELETE FROM log_record WHERE partition_id = ? AND offset <= ?'),
  };
}
