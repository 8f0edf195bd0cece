import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Producer } from 'kafkajs';
import { handlingGroupOf, type TopicName } from '../../../topics/catalogue.ts';
import { Administrator } from './administrator.ts';
import { createClient } from './client.ts';
import { closingMarker, probe } from './control-records.ts';
import { type Generation, Generations } from './generations.ts';
import { GroupOffsets } from './group-offsets.ts';
import { onceKnown } from './once-known.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';
import { asPlaced, isTooLarge } from './producer.ts';
import { CLOSED_BYTES_MAX, changeBytesMax, createGenerations, MESSAGE_BYTES_MAX } from './topic-settings.ts';

/** More partitions than this are a mistake of typing: each costs every broker something. */
export const PARTITIONS_MAX = 1_024;

/** How long the brokers may take until all of them refuse what a closed generation does not take. */
const CLOSE_TIMEOUT_MS = 30_000;
const CLOSE_PAUSE_MS = 100;

/** How often it is looked at how far the processors have come. */
const DRAIN_LOOK_MS = 500;

const ALL_REPLICAS = -1;

export interface GrowOptions {
  readonly options: KafkaOptions;
  readonly logger: KafkaLogger;
  readonly topic: TopicName;
  readonly partitions: number;
  /** How long to wait for the processors to come to the end of the old generation; they go on without being watched. */
  readonly drainMs: number;
  /** Takes a line for every step. */
  readonly report: (line: string) => void;
}

/** What a growth came to. */
export interface Growth {
  readonly generation: number;
  /** Whether everything of the old generation was seen to be handled. */
  readonly drained: boolean;
}

/**
 * Moves a topic to a new generation with another number of partitions, while it is written and read (design rule 14):
 *
 * 1. the new generation is made, closed;
 * 2. the brokers are told to refuse every command for the old one, and asked until each partition does;
 * 3. every old partition gets its closing marker, behind which nothing can come any more;
 * 4. the new generation is opened: the first command that it takes is later than the last one of the old generation;
 * 5. readers finish the old generation and begin the new one.
 *
 * Each step may be repeated: a growth that was interrupted is finished by starting it again.
 *
 * @throws {RangeError} for a number of partitions that is none; {Error} when another growth is unfinished.
 * @throws {EngineUnavailableError} when the cluster does not answer; nothing is lost, and starting again goes on.
 */
export async function growTopic(request: GrowOptions): Promise<Growth> {
  const { options, logger, partitions } = request;
  if (!Number.isSafeInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX) {
    throw new RangeError(`growing a topic to ${partitions} partitions; 1 to ${PARTITIONS_MAX} are possible`);
  }
  const administrator = new Administrator(options, logger);
  try {
    return await new Grower(request, administrator).grow();
  } finally {
    await administrator.close();
  }
}

class Grower {
  readonly #request: GrowOptions;
  readonly #administrator: Administrator;
  readonly #generations: Generations;

  constructor(request: GrowOptions, administrator: Administrator) {
    this.#request = request;
    this.#administrator = administrator;
    this.#generations = new Generations(administrator, request.options);
  }

  async grow(): Promise<Growth> {
    const { topic, report } = this.#request;
    await this.#generations.refresh();
    const { from, to } = await this.#prepare();
    const [old, next] = [from, to].map((number) => this.#generations.nameOf(topic, number)) as [
      string,
      string,
    ];
    report(`${next}: ${this.#request.partitions} partitions, closed`);
    await changeBytesMax(this.#administrator, old, CLOSED_BYTES_MAX);
    await this.#close(old, this.#partitionsOf(from));
    report(`${old}: closed, ${this.#partitionsOf(from)} markers`);
    await changeBytesMax(this.#administrator, next, MESSAGE_BYTES_MAX);
    report(`${next}: open`);
    return { generation: to, drained: await this.#drain(from) };
  }

  /** Finds the growth that is unfinished, or begins one. */
  async #prepare(): Promise<{ from: number; to: number }> {
    const { topic, partitions, options } = this.#request;
    const known = this.#generations.of(topic);
    const newest = known.at(-1);
    if (newest === undefined) throw new Error(`growing the topic ${topic}: it has not been made yet`);
    const before = known.at(-2);
    if (!newest.isOpen) requireSame(newest, partitions, topic);
    if (newest.partitions === partitions) {
      if (before !== undefined) return { from: before.number, to: newest.number };
      throw new Error(`growing the topic ${topic}: it has ${partitions} partitions already`);
    }
    const to = newest.number + 1;
    const made = { topic, generation: to, partitions, bytesMax: CLOSED_BYTES_MAX };
    await createGenerations(this.#administrator, options, [made]);
    const name = this.#generations.nameOf(topic, to);
    await this.#administrator.ask((admin) => onceKnown(() => admin.fetchTopicOffsets(name)));
    return { from: newest.number, to };
  }

  /** Waits until every partition refuses commands, and writes the markers. */
  async #close(name: string, partitions: number): Promise<void> {
    const all = Array.from({ length: partitions }, (_, partition) => partition);
    const { options, logger } = this.#request;
    const producer = createClient(options, logger).producer({
      allowAutoTopicCreation: false,
      createPartitioner: asPlaced,
    });
    await producer.connect();
    try {
      for (const partition of all) await untilRefused(producer, name, partition);
      await send(producer, name, all.map(closingMarker));
    } finally {
      await producer.disconnect();
    }
  }

  async #drain(generation: number): Promise<boolean> {
    const { topic, options, drainMs, report } = this.#request;
    const group = handlingGroupOf(topic);
    if (group === null) return true;
    const offsets = new GroupOffsets(this.#administrator, {
      prefix: options.prefix,
      group,
      topic,
      generation,
      isFollowed: () => true,
    });
    const deadline = performance.now() + drainMs;
    for (;;) {
      const partitions = [...(await offsets.locate()).values()];
      const open = partitions.filter(({ closed }) => !closed);
      if (open.length === 0) {
        report(`${topic}: everything of generation ${generation} is handled`);
        return true;
      }
      if (performance.now() > deadline) {
        report(`${topic}: ${open.length} partitions of generation ${generation} are still being handled`);
        return false;
      }
      await sleep(DRAIN_LOOK_MS);
    }
  }

  #partitionsOf(generation: number): number {
    const found = this.#generations.of(this.#request.topic).find(({ number }) => number === generation);
    return found?.partitions ?? 0;
  }
}

function requireSame({ partitions: begun, number }: Generation, partitions: number, topic: TopicName): void {
  if (begun === partitions) return;
  throw new Error(
    `growing the topic ${topic}: generation ${number} with ${begun} partitions is unfinished; finish it first`,
  );
}

/** Asks a partition until it no longer takes what is longer than a marker. What it does take, readers pass over. */
async function untilRefused(producer: Producer, name: string, partition: number): Promise<void> {
  for (const deadline = performance.now() + CLOSE_TIMEOUT_MS; ; await sleep(CLOSE_PAUSE_MS)) {
    try {
      await send(producer, name, [probe(partition, CLOSED_BYTES_MAX)]);
    } catch (error) {
      if (isTooLarge(error)) return;
      throw error;
    }
    if (performance.now() > deadline) throw new Error(`closing partition ${partition} of ${name}`);
  }
}

async function send(producer: Producer, topic: string, messages: Message[]): Promise<void> {
  await producer.send({ topic, messages, acks: ALL_REPLICAS });
}
