import { setTimeout as sleep } from 'node:timers/promises';
import { TOPIC_NAMES, type TopicName } from '../../../topics/catalogue.ts';
import type { Administrator } from './administrator.ts';
import { onceKnown } from './once-known.ts';
import { type KafkaOptions, topicNameOf } from './options.ts';
import { closedAmong } from './topic-settings.ts';

/** How soon a process that neither writes nor reads a topic learns that it grows. */
const LOOK_EVERY_MS = 10_000;

/**
 * How long writers wait for a topic that has just lost its open generation, and how often they look meanwhile. Growing
 * takes a moment for it; when it was interrupted there, nobody waits any more, and other topics go on.
 */
export const OPEN_TIMEOUT_MS = 3_000;
const OPEN_PAUSE_MS = 100;

/** One generation of a topic, as the brokers have it. */
export interface Generation {
  readonly number: number;
  readonly partitions: number;
  /** Whether it takes records. At most one does, and none for the moment at which a topic changes over. */
  readonly isOpen: boolean;
}

/**
 * The generations of every topic (design rule 14). The brokers alone know them: what this process holds is a copy that is
 * refreshed when a broker refuses a record, when a closing marker is read, and from time to time.
 */
export class Generations {
  readonly #administrator: Administrator;
  readonly #options: KafkaOptions;
  #known: ReadonlyMap<TopicName, readonly Generation[]> = new Map();
  #names = '';
  /** When topics were first seen without an open generation. */
  #closedSince: ReadonlyMap<TopicName, number> = new Map();
  #asking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(administrator: Administrator, options: KafkaOptions) {
    this.#administrator = administrator;
    this.#options = options;
  }

  /** In their order, the oldest first. */
  of(topic: TopicName): readonly Generation[] {
    return this.#known.get(topic) ?? [];
  }

  /** The one that is written, or null while there is none. */
  openOf(topic: TopicName): Generation | null {
    return this.of(topic).findLast(({ isOpen }) => isOpen) ?? null;
  }

  /** Whether a later generation has been opened: this one has its markers, and takes no further records. */
  isFollowed(topic: TopicName, generation: number): boolean {
    return (this.openOf(topic)?.number ?? 0) > generation;
  }

  /** The names that the brokers give to every generation that is known. */
  names(): string[] {
    return TOPIC_NAMES.flatMap((topic) => this.of(topic).map(({ number }) => this.nameOf(topic, number)));
  }

  /** Stands before every topic and group. */
  get prefix(): string {
    return this.#options.prefix;
  }

  nameOf(topic: TopicName, generation: number): string {
    return topicNameOf(this.prefix, topic, generation);
  }

  /** Asks the brokers. What was under way before the call does not count. @throws {EngineUnavailableError} */
  refresh(): Promise<void> {
    this.#asking = this.#asking.catch(() => undefined).then(() => this.#ask());
    return this.#asking;
  }

  /**
   * Waits for those of the topics that change over just now, and not for others.
   *
   * @throws {EngineUnavailableError}
   */
  async untilChangedOver(topics: Iterable<TopicName>): Promise<void> {
    const wanted = [...topics];
    while (wanted.some((topic) => this.#isChangingOver(topic))) {
      await sleep(OPEN_PAUSE_MS);
      await this.refresh();
    }
  }

  #isChangingOver(topic: TopicName): boolean {
    const since = this.#closedSince.get(topic);
    return since !== undefined && performance.now() - since < OPEN_TIMEOUT_MS;
  }

  /** Looks from time to time whether there are others, until `close`. */
  watch(): void {
    this.#timer ??= setInterval(() => void this.#lookAround(), LOOK_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.allSettled([this.#asking]);
  }

  async #lookAround(): Promise<void> {
    try {
      const names = (await this.#list()).map(({ name }) => name).join();
      const isChanging = TOPIC_NAMES.some((topic) => this.of(topic).at(-1)?.isOpen !== true);
      if (names !== this.#names || isChanging) await this.refresh();
    } catch {
      // The next look is soon, and a writer that is late is told by the brokers.
    }
  }

  async #ask(): Promise<void> {
    const found = await this.#list();
    const names = found.map(({ name }) => name);
    const partitions = await this.#countPartitions(names);
    const closed = await closedAmong(this.#administrator, names);
    const known = new Map<TopicName, Generation[]>();
    for (const { topic, number, name } of found) {
      const generation = { number, partitions: partitions.get(name) ?? 0, isOpen: !closed.has(name) };
      known.set(topic, [...(known.get(topic) ?? []), generation]);
    }
    this.#known = known;
    this.#names = names.join();
    const now = performance.now();
    const closedTopics = [...known.keys()].filter((topic) => this.openOf(topic) === null);
    this.#closedSince = new Map(closedTopics.map((topic) => [topic, this.#closedSince.get(topic) ?? now]));
  }

  async #list(): Promise<{ topic: TopicName; number: number; name: string }[]> {
    const names = await this.#administrator.ask((admin) => admin.listTopics());
    return names
      .flatMap((name) => {
        const parts = parse(this.#options.prefix, name);
        return parts === null ? [] : [{ ...parts, name }];
      })
      .sort((left, right) => left.number - right.number || (left.name < right.name ? -1 : 1));
  }

  async #countPartitions(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return new Map();
    const { topics } = await this.#administrator.ask((admin) =>
      onceKnown(() => admin.fetchTopicMetadata({ topics: [...names] })),
    );
    return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  }
}

/** The topic and the generation that a name of Kafka's stands for, or null for a topic that is none of ours. */
function parse(prefix: string, name: string): { topic: TopicName; number: number } | null {
  const [, written = '', number = ''] = /^(.+)\.v([1-9]\d*)$/.exec(name.slice(prefix.length)) ?? [];
  const topic = TOPIC_NAMES.find((each) => each === written);
  return name.startsWith(prefix) && topic !== undefined ? { topic, number: Number(number) } : null;
}
