import { setTimeout as sleep } from 'node:timers/promises';
import { TOPIC_NAMES, type TopicName } from '../../../topics/catalogue.ts';
import type { Administrator } from './administrator.ts';
import { type KafkaOptions, topicNameOf } from './options.ts';
import { retryUntilVisible } from './retry-until-visible.ts';
import { closedAmong } from './topic-settings.ts';

/** Interval at which a process that neither writes nor reads a topic looks for new generations. */
const REFRESH_INTERVAL_MS = 10_000;

/**
 * Longest wait of a writer while a topic has no open generation, and the interval of its checks. Growing a topic
 * closes it for a moment. If the growth was interrupted, writers no longer wait, and other topics are not affected.
 */
export const OPEN_TIMEOUT_MS = 3_000;
const OPEN_PAUSE_MS = 100;

/** One generation of a topic, as the brokers have it. */
export interface Generation {
  readonly number: number;
  readonly partitions: number;
  /** True if it takes records. At most one generation is open, and none during the change to the next. */
  readonly isOpen: boolean;
}

/**
 * A cache of the generations of every topic (infra/docs/decisions/0003-partitions-and-generations.md). The brokers
 * hold the truth. The cache is refreshed when a broker rejects a record, when a closing marker is read, and from time
 * to time.
 */
export class Generations {
  readonly #administrator: Administrator;
  readonly #options: KafkaOptions;
  #known: ReadonlyMap<TopicName, readonly Generation[]> = new Map();
  #names = '';
  /** The time at which each topic was first found without an open generation. */
  #closedSince: ReadonlyMap<TopicName, number> = new Map();
  #refreshing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(administrator: Administrator, options: KafkaOptions) {
    this.#administrator = administrator;
    this.#options = options;
  }

  /** Returns the generations of a topic, oldest first. */
  of(topic: TopicName): readonly Generation[] {
    return this.#known.get(topic) ?? [];
  }

  /** Returns the generation that takes records, or null while there is none. */
  openOf(topic: TopicName): Generation | null {
    return this.of(topic).findLast(({ isOpen }) => isOpen) ?? null;
  }

  /** True if a later generation is open: this one has its markers and takes no further records. */
  isSuperseded(topic: TopicName, generation: number): boolean {
    return (this.openOf(topic)?.number ?? 0) > generation;
  }

  /** Returns the Kafka topics of all known generations. */
  names(): string[] {
    return TOPIC_NAMES.flatMap((topic) => this.of(topic).map(({ number }) => this.nameOf(topic, number)));
  }

  /** The prefix of every topic and group. */
  get prefix(): string {
    return this.#options.prefix;
  }

  nameOf(topic: TopicName, generation: number): string {
    return topicNameOf(this.prefix, topic, generation);
  }

  /**
   * Reads the generations from the brokers, in a request that begins after the call.
   *
   * @throws {EngineUnavailableError}
   */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#readGenerations());
    return this.#refreshing;
  }

  /**
   * Waits while one of the topics changes to its next generation. Other topics do not delay it.
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

  /** Refreshes the cache periodically, until `close`. */
  watch(): void {
    this.#timer ??= setInterval(() => void this.#refreshIfChanged(), REFRESH_INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.allSettled([this.#refreshing]);
  }

  async #refreshIfChanged(): Promise<void> {
    try {
      const names = (await this.#list()).map(({ name }) => name).join();
      const isChanging = TOPIC_NAMES.some((topic) => this.of(topic).at(-1)?.isOpen !== true);
      if (names !== this.#names || isChanging) await this.refresh();
    } catch {
      // The next refresh is soon, and the brokers reject a writer with an old cache.
    }
  }

  async #readGenerations(): Promise<void> {
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
      retryUntilVisible(() => admin.fetchTopicMetadata({ topics: [...names] })),
    );
    return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  }
}

/** Returns the topic and the generation of a Kafka topic, or null if it is not one of this service. */
function parse(prefix: string, name: string): { topic: TopicName; number: number } | null {
  const [, written = '', number = ''] = /^(.+)\.v([1-9]\d*)$/.exec(name.slice(prefix.length)) ?? [];
  const topic = TOPIC_NAMES.find((each) => each === written);
  return name.startsWith(prefix) && topic !== undefined ? { topic, number: Number(number) } : null;
}
