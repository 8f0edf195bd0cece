import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Producer } from 'kafkajs';
import { counted } from '../../../schemas/base/text.ts';
import { handlingGroupOf, type TopicName } from '../../../topics/catalogue.ts';
import { Administrator } from './administrator.ts';
import { createClient } from './client.ts';
import { closingMarker, probe } from './control-records.ts';
import { type Generation, Generations } from './generations.ts';
import { GroupOffsets } from './group-offsets.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';
import { asPlaced, isTooLarge } from './producer.ts';
import { retryUntilVisible } from './retry-until-visible.ts';
import { CLOSED_BYTES_MAX, changeBytesMax, createGenerations, MESSAGE_BYTES_MAX } from './topic-settings.ts';

/** Largest number of partitions; each costs memory on every broker, and more are likely a typing error. */
export const PARTITIONS_MAX = 1_024;

/** Time in which every broker has to reject records for a closed generation. */
const CLOSE_TIMEOUT_MS = 30_000;
const CLOSE_PAUSE_MS = 100;

/** Interval at which the progress of the processors is read. */
const DRAIN_POLL_MS = 500;

const ALL_REPLICAS = -1;

export interface GrowOptions {
  readonly options: KafkaOptions;
  readonly logger: KafkaLogger;
  readonly topic: TopicName;
  readonly partitions: number;
  /** Time to wait for the processors to finish the old generation. After it they continue unobserved. */
  readonly drainMs: number;
  /** Receives one line for each step. */
  readonly report: (line: string) => void;
}

/** The result of a growth. */
export interface Growth {
  readonly generation: number;
  /** True if every record of the old generation was handled within the time to wait. */
  readonly drained: boolean;
}

/**
 * Moves a topic to a new generation with another number of partitions, while it is written and read
 * (infra/docs/decisions/0003-partitions-and-generations.md):
 *
 * 1. the new generation is created, closed;
 * 2. the brokers are set to reject every command for the old one, and probed until each partition does;
 * 3. every old partition gets its closing marker, behind which no command can be appended;
 * 4. the new generation is opened: its first command is later than the last one of the old generation;
 * 5. readers finish the old generation and begin the new one.
 *
 * Each step may be repeated: a second run finishes an interrupted growth.
 *
 * @throws {RangeError} for an invalid number of partitions; {Error} while another growth is unfinished
 * @throws {EngineUnavailableError} if the cluster does not answer; nothing is lost, and another run resumes
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
    report(`${next}: ${counted(this.#request.partitions, 'partition')}, closed`);
    await changeBytesMax(this.#administrator, old, CLOSED_BYTES_MAX);
    await this.#close(old, this.#partitionsOf(from));
    report(`${old}: closed, ${counted(this.#partitionsOf(from), 'marker')}`);
    await changeBytesMax(this.#administrator, next, MESSAGE_BYTES_MAX);
    report(`${next}: open`);
    return { generation: to, drained: await this.#drain(from) };
  }

  /** Finds the unfinished growth, or begins one. */
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
    await this.#administrator.ask((admin) => retryUntilVisible(() => admin.fetchTopicOffsets(name)));
    // A broker may list its topics from before another growth began: then that one has made this generation.
    await this.#generations.refresh();
    const begun = this.#generations.of(topic).find(({ number }) => number === to);
    if (begun !== undefined) requireSame(begun, partitions, topic);
    return { from: newest.number, to };
  }

  /** Waits until every partition rejects commands, and appends the markers. */
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
    const offsets = new GroupOffsets(this.#administrator, {
      prefix: options.prefix,
      group,
      topic,
      generation,
      isSuperseded: () => true,
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
        const left = counted(open.length, 'partition');
        report(`${topic}: ${left} of generation ${generation} still to be handled`);
        return false;
      }
      await sleep(DRAIN_POLL_MS);
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

/** Probes a partition until it rejects records longer than a marker. Readers skip the probes. */
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
