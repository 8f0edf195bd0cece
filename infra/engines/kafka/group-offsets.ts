import type { TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type { Administrator } from './administrator.ts';
import { ENGINE, groupIdOf, topicNameOf } from './options.ts';

/** How old the answer may be that a lag is computed from. */
const ENDS_FRESH_MS = 1_000;

/** What a group and the log say about one partition. All are offsets. */
export interface PartitionOffsets {
  /** Where the group goes on, or null when it has never committed. */
  readonly committed: number | null;
  /** Whether the group is done with everything before the closing marker: what is left is not its own. */
  readonly closed: boolean;
  /** The first record that is still stored, and the one that is appended next. */
  readonly start: number;
  readonly end: number;
}

/** What a group writes beside an offset that lies behind the closing marker, or is the marker's own. */
export const CLOSED_NOTE = 'closed';

/** What names a group in one generation of a topic. */
export interface GroupName {
  readonly prefix: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly generation: number;
  /** Whether a later generation has been opened: this one has its markers, and takes no further records. */
  readonly isFollowed: () => boolean;
}

/**
 * Whether a group is done with one partition of a generation. It is when it met the closing marker, and also when nothing is
 * left to read of a generation that is followed: a group that is new, or whose offsets have expired, never meets a marker
 * whose retention is over.
 */
export function isClosedFor(
  { committed, start, end }: Omit<PartitionOffsets, 'closed'>,
  hasMetMarker: boolean,
  isFollowed: boolean,
): boolean {
  return hasMetMarker || (isFollowed && (committed ?? start) >= end);
}

/** Where one group stands in one generation of a topic. */
export class GroupOffsets {
  readonly #administrator: Administrator;
  readonly #topicName: string;
  readonly #groupId: string;
  readonly #isFollowed: () => boolean;
  #ends: { readonly until: number; readonly answer: Promise<ReadonlyMap<number, number>> } | null = null;

  constructor(administrator: Administrator, name: GroupName) {
    const { prefix, group, topic, generation } = name;
    this.#administrator = administrator;
    this.#isFollowed = name.isFollowed;
    this.#topicName = topicNameOf(prefix, topic, generation);
    this.#groupId = groupIdOf(prefix, group, topic, generation);
  }

  /** @throws {EngineUnavailableError} */
  locate(): Promise<ReadonlyMap<number, PartitionOffsets>> {
    // Asked first: nothing is appended to a generation from then on.
    const isFollowed = this.#isFollowed();
    return this.#administrator.ask(async (admin) => {
      // In this order: a record that is appended in between must not make a committed offset look as if it were beyond.
      const [committed] = await admin.fetchOffsets({ groupId: this.#groupId, topics: [this.#topicName] });
      const bounds = await admin.fetchTopicOffsets(this.#topicName);
      return new Map(
        bounds.map(({ partition, low, high }) => {
          const own = committed?.partitions.find((each) => each.partition === partition);
          const offsets = { committed: whole(own?.offset), start: Number(low), end: Number(high) };
          const closed = isClosedFor(offsets, own?.metadata === CLOSED_NOTE, isFollowed);
          return [partition, { ...offsets, closed }];
        }),
      );
    });
  }

  /** Whether the group is done with every partition. @throws {EngineUnavailableError} */
  async areClosed(): Promise<boolean> {
    const partitions = [...(await this.locate()).values()];
    return partitions.length > 0 && partitions.every(({ closed }) => closed);
  }

  /** The end of each partition, at most a second old, or none while nobody answers. Callers share the questions. */
  async ends(): Promise<ReadonlyMap<number, number>> {
    const now = performance.now();
    if (this.#ends === null || this.#ends.until < now) {
      this.#ends = { until: now + ENDS_FRESH_MS, answer: this.#askEnds() };
    }
    return this.#ends.answer;
  }

  /** Where a partition ends at this moment. @throws {EngineUnavailableError} */
  async endOf(partition: number): Promise<number> {
    const end = (await this.#fetchEnds()).get(partition);
    if (end === undefined) throw new EngineUnavailableError(ENGINE);
    return end;
  }

  async #askEnds(): Promise<ReadonlyMap<number, number>> {
    try {
      return await this.#fetchEnds();
    } catch {
      // The partitions then go by what they were told with their last records.
      return new Map();
    }
  }

  async #fetchEnds(): Promise<ReadonlyMap<number, number>> {
    const bounds = await this.#administrator.ask((admin) => admin.fetchTopicOffsets(this.#topicName));
    return new Map(bounds.map(({ partition, high }) => [partition, Number(high)]));
  }
}

/**
 * Where to begin, by design rule 13.
 *
 * @throws {LostRecordsError} when the group goes on at an offset that the log does not have.
 */
export function startOf({ committed, start, end }: Omit<PartitionOffsets, 'closed'>): number {
  if (committed === null) return start;
  requireStored(committed, { start, end });
  return committed;
}

/** @throws {LostRecordsError} when an offset is neither stored nor the next one to be. */
export function requireStored(offset: number, { start, end }: Pick<PartitionOffsets, 'start' | 'end'>): void {
  if (offset > end) throw new LostRecordsError(`reading offset ${offset} of a partition that ends at ${end}`);
  if (offset < start)
    throw new LostRecordsError(`reading offset ${offset} of a partition that starts at ${start}`);
}

/** Brokers say -1 for a group that has committed nothing. */
function whole(offset: string | undefined): number | null {
  return offset === undefined || Number(offset) < 0 ? null : Number(offset);
}
