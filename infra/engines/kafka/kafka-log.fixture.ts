import { randomUUID } from 'node:crypto';
import type { Admin } from 'kafkajs';
import { FIRST_GENERATION } from '../../../topics/catalogue.ts';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import type { ConsumedPartition, Halt } from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import { createClient } from './client.ts';
import { type KafkaLog, openKafkaLog } from './log.ts';
import { groupIdOf, type KafkaLogger, type KafkaOptions, topicNameOf } from './options.ts';

/** Prefix of the topics of tests. */
const PREFIX = 'svc_test_';

/** Discards log lines: tests break things, so warnings are expected. */
export const silent: KafkaLogger = { warn: () => undefined, error: () => undefined };

/** A log with separate topics on the cluster of the tests, deleted at the end. */
export class KafkaLogFixture {
  readonly options: KafkaOptions;
  readonly halts: Halt[] = [];
  readonly resumed: ConsumedPartition[] = [];
  readonly #memory: RecordMemory | null;
  #log: KafkaLog | null = null;

  static async open(
    options: Partial<KafkaOptions> = {},
    memory: RecordMemory | null = null,
  ): Promise<KafkaLogFixture> {
    const own: KafkaOptions = {
      brokers: [brokerAddress()],
      prefix: `${PREFIX}${randomUUID()}_`,
      replication: { factor: 1, minInSync: 1 },
      ...options,
    };
    const engine = new KafkaLogFixture(own, memory);
    await engine.#open();
    return engine;
  }

  private constructor(options: KafkaOptions, memory: RecordMemory | null) {
    this.options = options;
    this.#memory = memory;
  }

  get log(): KafkaLog {
    if (this.#log === null) throw new Error('using a log that is not open');
    return this.#log;
  }

  /** Opens the log of a second process of the same service. */
  another(): Promise<KafkaLog> {
    return this.#openLog(null);
  }

  async reopen(): Promise<void> {
    await this.log.close();
    await this.#open();
  }

  /** Sends a request to the cluster directly, past the adapter. */
  async administer<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const admin = createClient({ ...this.options, brokers: [brokerAddress()] }, silent).admin();
    await admin.connect();
    try {
      return await ask(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** Returns the offset that a group has committed in a partition of `imports`, or -1. */
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
    await this.log.close();
    await this.administer(async (admin) => {
      const topics = (await admin.listTopics()).filter((name) => name.startsWith(this.options.prefix));
      await admin.deleteTopics({ topics });
    });
  }

  async #open(): Promise<void> {
    this.#log = await this.#openLog(this.#memory);
  }

  #openLog(memory: RecordMemory | null): Promise<KafkaLog> {
    return openKafkaLog({
      clock: { now: () => Date.now() },
      options: this.options,
      logger: silent,
      halts: {
        onHalt: (halt) => this.halts.push(halt),
        onResume: (partition) => this.resumed.push(partition),
      },
      ...(memory === null ? {} : { memory }),
    });
  }
}

function brokerAddress(): string {
  const addresses = engineAddresses();
  if (addresses === null) throw new Error('testing the log on Kafka without a cluster');
  return addresses.kafka;
}
