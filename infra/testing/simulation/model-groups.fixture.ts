import type { TopicName } from '../../../topics/catalogue.ts';
import { LostRecordsError } from '../../../topics/ports/failures.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import { isClosedFor } from '../../engines/kafka/group-offsets.ts';
import { Delivery, type Ownership } from './delivery.fixture.ts';
import type { Host } from './host.fixture.ts';
import type { ModelLog, ModelPartition } from './model-log.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

interface Member {
  readonly host: Host;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
}

/** A partition that stands still. */
export interface Halted {
  readonly partition: string;
  readonly by: Delivery;
  readonly error: unknown;
}

/** For how long a member that has to give a partition away is waited for. */
const HANDOVER_MS_MAX = 3_000;
/** The time after which an expelled member learns of it. */
const IGNORANCE_MS_MAX = 10_000;

/**
 * Consumer groups: each partition's owner and first position. An expelled member does not know it for a while and
 * continues: a zombie, whose offsets are refused.
 */
export class ModelGroups {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #network: Network;
  readonly #log: ModelLog;
  readonly #members: Member[] = [];
  readonly #owned = new Map<string, Ownership>();
  readonly #halted = new Map<Ownership, Halted>();

  constructor(scheduler: Scheduler, random: Random, network: Network, log: ModelLog) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#network = network;
    this.#log = log;
    log.onPartition = () => this.#balance(false);
  }

  /** A host takes part in the groups of its subscriptions; partitions move. */
  join(host: Host, subscriptions: readonly Subscription[]): void {
    const byGroup = new Map(subscriptions.map((one) => [groupName(one.group, one.topic), one]));
    this.#members.push({ host, subscriptions: byGroup });
    this.#balance(true);
  }

  /** The groups continue without a host. If it runs, it does not know of it for a while. */
  expel(host: Host): void {
    const index = this.#members.findIndex((member) => member.host === host);
    if (index < 0) return;
    this.#members.splice(index, 1);
    for (const ownership of this.#owned.values()) {
      const { delivery, active } = ownership;
      if (active?.host === host) ownership.active = null;
      if (delivery?.host === host) ownership.delivery = null;
      for (const one of new Set([active, delivery])) {
        if (one?.host === host)
          this.#scheduler.after(this.#random.between(0, IGNORANCE_MS_MAX), () => one.revoke());
      }
    }
    this.#balance(true);
  }

  /** Assigns the partitions again. */
  rebalance(): void {
    this.#balance(true);
  }

  /**
   * The partitions that stand still just now. A halt that may end counts only while its host has the partition: a host that
   * has lost it unknowingly never tries again, and another one continues.
   */
  get halted(): readonly Halted[] {
    return [...this.#halted]
      .filter(([{ delivery }, { by, error }]) => error instanceof LostRecordsError || delivery === by)
      .map(([, halted]) => halted);
  }

  /** Records of all groups that are not handled yet. */
  lag(): number {
    const left = ({ partition, committed }: Ownership): number =>
      partition.end - Math.max(committed ?? 0, partition.start);
    return [...this.#owned.values()].reduce((sum, ownership) => sum + left(ownership), 0);
  }

  /**
   * Lets the retention of everything end that all groups are done with: records go, or offsets, or both, as while nothing ran
   * for weeks. A later member begins with the rest.
   */
  expire(): void {
    const [goRecords, goOffsets] = [this.#random.chance(0.7), this.#random.chance(0.7)];
    for (const partition of this.#log.partitions()) {
      const ownerships = [...this.#owned.values()].filter((one) => one.partition === partition);
      if (!this.#log.isFollowed(partition) || !ownerships.every((one) => this.#isClosed(one))) continue;
      if (goRecords) partition.start = partition.end;
      for (const ownership of ownerships) if (goOffsets) ownership.committed = null;
    }
    for (const ownership of this.#owned.values()) {
      ownership.delivery?.revoke();
      ownership.delivery = null;
      ownership.active = null;
    }
    this.#balance(true);
  }

  /** Looks whether groups can begin the next generation of a topic. */
  look(): void {
    this.#balance(false);
  }

  #balance(move: boolean): void {
    for (const partition of this.#log.partitions()) {
      for (const group of this.#groupsOf(partition.topic)) {
        const name = `${group} ${partition.name}`;
        const made = { group, partition, committed: null, delivery: null, active: null };
        const ownership = this.#owned.get(name) ?? made;
        this.#owned.set(name, ownership);
        if ((move || ownership.delivery === null) && this.#isDue(ownership)) this.#assign(group, ownership);
      }
    }
  }

  /** True if the group has handled every partition of earlier generations. */
  #isDue({ group, partition }: Ownership): boolean {
    return [...this.#owned.values()]
      .filter((one) => one.group === group && isBefore(one.partition, partition))
      .every((one) => this.#isClosed(one));
  }

  #isClosed({ committed, partition }: Ownership): boolean {
    const isFollowed = this.#log.isFollowed(partition);
    const hasMetEnd = isFollowed && committed === partition.end;
    const { start, end } = partition;
    return isClosedFor({ committed, start, end }, hasMetEnd, isFollowed && !this.#log.flaws.emptyNeverCloses);
  }

  #groupsOf(topic: TopicName): Set<string> {
    const groups = this.#members.flatMap(({ subscriptions }) => [...subscriptions]);
    return new Set(groups.filter(([, one]) => one.topic === topic).map(([group]) => group));
  }

  #assign(group: string, ownership: Ownership): void {
    const candidates = this.#members.filter(({ subscriptions }) => subscriptions.has(group));
    if (candidates.length === 0) return;
    const { host, subscriptions } = this.#random.pick(candidates);
    const subscription = subscriptions.get(group);
    const former = ownership.delivery;
    if (subscription === undefined || (former?.host === host && !former.isEnding)) return;
    const delivery = new Delivery({
      host,
      ownership,
      scheduler: this.#scheduler,
      random: this.#random,
      network: this.#network,
      flaws: this.#log.flaws,
      onCommit: () => {
        if (this.#isClosed(ownership)) this.#balance(false);
      },
      onHalt: (error) => {
        if (error === null) this.#halted.delete(ownership);
        else this.#halted.set(ownership, { partition: ownership.partition.name, by: delivery, error });
      },
    });
    ownership.delivery = delivery;
    const begin = (): void => {
      if (ownership.delivery === delivery) delivery.begin(subscription);
    };
    if (former === null) begin();
    else this.#handOver(former, begin);
  }

  /** The owner of the partition finishes its work, unless that takes too long. */
  #handOver(former: Delivery, begin: () => void): void {
    former.want();
    let begun = false;
    const once = (): void => {
      if (!begun) begin();
      begun = true;
    };
    void former.ended.then(once);
    this.#scheduler.after(this.#random.between(0, HANDOVER_MS_MAX), () => {
      former.revoke();
      once();
    });
  }
}

function isBefore(one: ModelPartition, other: ModelPartition): boolean {
  return one.topic === other.topic && one.generation < other.generation;
}

function groupName(group: string, topic: TopicName): string {
  return `${group} ${topic}`;
}
