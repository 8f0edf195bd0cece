import { randomUUID } from 'node:crypto';
import type { Admin } from 'kafkajs';
import { FIRST_GENERATION } from '../../../topics/catalogue.ts';
import { engineAddresses } from '../../tools/cluster/under-test.ts';
import type { Halt } from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import { createClient } from './client.ts';
import { type KafkaLog, openKafkaLog } from './log.ts';
import { groupIdOf, type KafkaLogger, type KafkaOptions, topicNameOf } from './options.ts';

/** Topics of tests, and only those, begin with it. */
const PREFIX = 'svc_test_';

/** Warnings of tests are expected: they break things. */
export const silent: KafkaLogger = { warn: () => undefined, error: () => undefined };

/** A log with topics of its own on the cluster that tests use, deleted at the end. */
export class KafkaLogUnderTest {
  readonly options: KafkaOptions;
  readonly halts: Halt[] = [];
  #log: KafkaLog;

  static async open(
    options: Partial<KafkaOptions> = {},
    memory: RecordMemory | null = null,
  ): Promise<KafkaLogUnderTest> {
    const own: KafkaOptions = {
      brokers: [brokerAddress()],
      prefix: `${PREFIX}${randomUUID()}_`,
      replication: { factor: 1, minInSync: 1 },
      ...options,
    };
    const halts: Halt[] = [];
    return new KafkaLogUnderTest(own, halts, await openLog(own, halts, memory));
  }

  private constructor(options: KafkaOptions, halts: Halt[], log: KafkaLog) {
    this.options = options;
    this.halts = halts;
    this.#log = log;
  }

  get log(): KafkaLog {
    return this.#log;
  }

  /** A second process of the same service. */
  another(): Promise<KafkaLog> {
    return openLog(this.options, this.halts);
  }

  async reopen(): Promise<void> {
    await this.#log.close();
    this.#log = await openLog(this.options, this.halts);
  }

  /** Asks the cluster directly, past the adapter. */
  async administer<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const admin = createClient({ ...this.options, brokers: [brokerAddress()] }, silent).admin();
    await admin.connect();
    try {
      return await ask(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** The offset that a group has committed in a partition of `imports`, or -1. */
  async committed(group: string, partition: number): Promise<number> {
    const [topic] = await this.administer((admin) =>
      admin.fetchOffsets({
        groupId: groupIdOf(this.options.prefix, group, 'imports', FIRST_GENERATION),
        topics: [topicNameOf(this.options.prefix, 'imports', FIRST_GENERATION)],
      }),
    );
    return Number(topic?.partitions.find((each) => each.partition === partition)?.offset);
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.administer(async (admin) => {
      const topics = (await admin.listTopics()).filter((name) => name.startsWith(this.options.prefix));
      await admin.deleteTopics({ topics });
    });
  }
}

function openLog(
  options: KafkaOptions,
  halts: Halt[],
  memory: RecordMemory | null = null,
): Promise<KafkaLog> {
  return openKafkaLog({
    clock: { now: () => Date.now() },
    options,
    logger: silent,
    halts: { onHalt: (halt) => halts.push(halt), onResume: () => {} },
    ...(memory === null ? {} : { memory }),
  });
}

function brokerAddress(): string {
  const addresses = engineAddresses();
  if (addresses === null) throw new Error('testing the log on Kafka without a cluster');
  return addresses.kafka;
}
