import type { TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type { Administrator } from './administrator.ts';
import { ENGINE, groupIdOf, topicNameOf } from './options.ts';

/** Longest age of the ends from which a lag is computed. */
const ENDS_FRESH_MS = 1_000;

/** The offsets of a group and of the log in one partition. */
export interface PartitionOffsets {
  /** The next offset of the group, or null if the group has never committed. */
  readonly committed: number | null;
  /** True if the group has handled every record before the closing marker. It ignores the rest. */
  readonly closed: boolean;
  /** The offset of the first stored record, and the offset of the next append. */
  readonly start: number;
  readonly end: number;
}

/** The metadata that a group commits with an offset at or behind the closing marker. */
export const CLOSED_NOTE = 'closed';

/** Identifies a group in one generation of a topic. */
export interface GroupName {
  readonly prefix: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly generation: number;
  /** True if a later generation is open: this one has its markers and takes no further records. */
  readonly isSuperseded: () => boolean;
}

/**
 * True if a group has finished one partition of a generation: it has read the closing marker, or nothing is left to
 * read of a generation with an open successor. The second case covers groups that are new or whose offsets have
 * expired: they never read a marker whose retention is over.
 */
export function isClosedFor(
  { committed, start, end }: Omit<PartitionOffsets, 'closed'>,
  hasMetMarker: boolean,
  isSuperseded: boolean,
): boolean {
  return hasMetMarker || (isSuperseded && (committed ?? start) >= end);
}

/** Reads the offsets of one group in one generation of a topic. */
export class GroupOffsets {
  readonly #administrator: Administrator;
  readonly #topicName: string;
  readonly #groupId: string;
  readonly #isSuperseded: () => boolean;
  #ends: { readonly until: number; readonly answer: Promise<ReadonlyMap<number, number>> } | null = null;

  constructor(administrator: Administrator, name: GroupName) {
    const { prefix, group, topic, generation } = name;
    this.#administrator = administrator;
    this.#isSuperseded = name.isSuperseded;
    this.#topicName = topicNameOf(prefix, topic, generation);
    this.#groupId = groupIdOf(prefix, group, topic, generation);
  }

  /** @throws {EngineUnavailableError} */
  locate(): Promise<ReadonlyMap<number, PartitionOffsets>> {
    // Read first: a generation with an open successor takes no further records.
    const isSuperseded = this.#isSuperseded();
    return this.#administrator.ask(async (admin) => {
      // Read in this order: a record appended in between must not put the committed offset beyond the end.
      const [committed] = await admin.fetchOffsets({ groupId: this.#groupId, topics: [this.#topicName] });
      const bounds = await admin.fetchTopicOffsets(this.#topicName);
      return new Map(
        bounds.map(({ partition, low, high }) => {
          const own = committed?.partitions.find((each) => each.partition === partition);
          const offsets = { committed: whole(own?.offset), start: Number(low), end: Number(high) };
          const closed = isClosedFor(offsets, own?.metadata === CLOSED_NOTE, isSuperseded);
          return [partition, { ...offsets, closed }];
        }),
      );
    });
  }

  /**
   * True if the group has finished every partition.
   *
   * @throws {EngineUnavailableError}
   */
  async areClosed(): Promise<boolean> {
    const partitions = [...(await this.locate()).values()];
    return partitions.length > 0 && partitions.every(({ closed }) => closed);
  }

  /**
   * Returns the end of each partition, at most a second old; an empty map if the brokers do not answer. Concurrent
   * callers share one request.
   */
  async ends(): Promise<ReadonlyMap<number, number>> {
    const now = performance.now();
    if (this.#ends === null || this.#ends.until < now) {
      this.#ends = { until: now + ENDS_FRESH_MS, answer: this.#askEnds() };
    }
    return this.#ends.answer;
  }

  /**
   * Reads the present end of a partition.
   *
   * @throws {EngineUnavailableError}
   */
  async endOf(partition: number): Promise<number> {
    const end = (await this.#fetchEnds()).get(partition);
    if (end === undefined) throw new EngineUnavailableError(ENGINE);
    return end;
  }

  async #askEnds(): Promise<ReadonlyMap<number, number>> {
    try {
      return await this.#fetchEnds();
    } catch {
      // The partitions then use the ends that came with their last records.
      return new Map();
    }
  }

  async #fetchEnds(): Promise<ReadonlyMap<number, number>> {
    const bounds = await this.#administrator.ask((admin) => admin.fetchTopicOffsets(this.#topicName));
    return new Map(bounds.map(({ partition, high }) => [partition, Number(high)]));
  }
}

/**
 * Returns the first offset to fetch.
 *
 * @throws {LostRecordsError} if the log does not have the committed offset
 */
export function startOf({ committed, start, end }: Omit<PartitionOffsets, 'closed'>): number {
  if (committed === null) return start;
  requireStored(committed, { start, end });
  return committed;
}

/** @throws {LostRecordsError} if an offset is neither stored nor the next to be appended */
export function requireStored(offset: number, { start, end }: Pick<PartitionOffsets, 'start' | 'end'>): void {
  if (offset > end) throw new LostRecordsError(`reading offset ${offset} of a partition that ends at ${end}`);
  if (offset < start)
    throw new LostRecordsError(`reading offset ${offset} of a partition that starts at ${start}`);
}

/** Brokers return -1 for a group without a committed offset. */
function whole(offset: string | undefined): number | null {
  return offset === undefined || Number(offset) < 0 ? null : Number(offset);
}
