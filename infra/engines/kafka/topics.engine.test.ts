import kafkajs from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { FIRST_GENERATION, TOPIC_NAMES, TOPICS } from '../../../topics/catalogue.ts';
import { WAIT } from '../../testing/contracts/engine.fixture.ts';
import { LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { createClient } from './client.ts';
import { KafkaLogFixture, silent } from './kafka-log.fixture.ts';
import { topicNameOf } from './options.ts';

describe('ensureTopics', () => {
  let engine: KafkaLogFixture;
  beforeEach(async () => {
    engine = await KafkaLogFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  const nameOf = (topic: (typeof TOPIC_NAMES)[number]) =>
    topicNameOf(engine.options.prefix, topic, FIRST_GENERATION);

  it('creates the topics of the catalogue, with their partitions', async () => {
    const { topics } = await engine.administer((admin) =>
      admin.fetchTopicMetadata({ topics: TOPIC_NAMES.map(nameOf) }),
    );
    const found = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    expect(found).toEqual(new Map(TOPIC_NAMES.map((topic) => [nameOf(topic), TOPICS[topic].partitions])));
  });

  async function settingsOf(topic: (typeof TOPIC_NAMES)[number]): Promise<Map<string, string>> {
    const { resources } = await engine.administer((admin) =>
      admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: nameOf(topic) }],
      }),
    );
    const entries = resources[0]?.configEntries ?? [];
    return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  it('sets retention, replication and clean elections', async () => {
    const settings = await settingsOf('imports');
    expect(settings.get('retention.ms')).toBe(String(14 * DAY_MS));
    expect(settings.get('min.insync.replicas')).toBe('1');
    expect(settings.get('unclean.leader.election.enable')).toBe('false');
    expect(settings.get('message.timestamp.type')).toBe('LogAppendTime');
  });

  it('keeps existing topics at a second start, and at two at the same time', async () => {
    const others = await Promise.all([engine.another(), engine.another()]);
    for (const log of others) await log.close();
  });

  it('creates each topic once at two starts at the same time', async () => {
    const fresh = { ...engine.options, prefix: engine.options.prefix.replace('_', '_fresh_') };
    const [first, second] = await Promise.all([KafkaLogFixture.open(fresh), KafkaLogFixture.open(fresh)]);
    await second.log.close();
    await first.close();
  });

  it('rejects a topic with another number of partitions than in the catalogue', async () => {
    const count = TOPICS.imports.partitions + 1;
    await engine.administer((admin) =>
      admin.createPartitions({ topicPartitions: [{ topic: nameOf('imports'), count }] }),
    );
    await vi.waitFor(async () => {
      const names = [nameOf('imports')];
      const { topics } = await engine.administer((admin) => admin.fetchTopicMetadata({ topics: names }));
      expect(topics[0]?.partitions).toHaveLength(count);
    }, WAIT);
    await expect(engine.another()).rejects.toThrow(
      `opening the topic ${nameOf('imports')}: it has ${count} partitions, and the catalogue says ${count - 1}`,
    );
  });

  it('rejects a topic whose timestamps the broker does not set', async () => {
    await engine.administer((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: kafkajs.ConfigResourceTypes.TOPIC,
            name: nameOf('people'),
            configEntries: [{ name: 'message.timestamp.type', value: 'CreateTime' }],
          },
        ],
      }),
    );
    await vi.waitFor(async () => {
      expect((await settingsOf('people')).get('message.timestamp.type')).toBe('CreateTime');
    }, WAIT);
    await expect(engine.another()).rejects.toThrow('message.timestamp.type has to be LogAppendTime');
  });

  it('makes the broker set the timestamps, whatever a writer sends', async () => {
    const foreign = createClient(engine.options, silent).producer();
    await foreign.connect();
    const messages = [{ key: 'key', value: 'value', timestamp: '1', partition: 0 }];
    await foreign.send({ topic: nameOf('imports'), messages });
    await foreign.disconnect();
    const probe = await LogProbe.start(engine.log, { group: 'group', keys: ['key'] });
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(1), WAIT);
    expect(Math.abs(probe.delivered[0]!.appendedAt - Date.now())).toBeLessThan(MINUTE_MS);
  });
});

describe('a compressed batch', () => {
  let engine: KafkaLogFixture;
  beforeEach(async () => {
    engine = await KafkaLogFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  const values = Array.from({ length: 2_000 }, (_, index) => `value ${index % 100} ü`);

  async function deliveredValues(): Promise<string[]> {
    const probe = await LogProbe.start(engine.log, { group: 'group', keys: ['key'], batchRecordsMax: 5_000 });
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(values.length), WAIT);
    return probe.values();
  }

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])(
    'is read if the broker has compressed it with %s',
    async (packing) => {
      const name = topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION);
      const type = kafkajs.ConfigResourceTypes.TOPIC;
      await engine.administer((admin) =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [{ type, name, configEntries: [{ name: 'compression.type', value: packing }] }],
        }),
      );
      await engine.log.append(values.map((value) => ({ topic: 'imports', key: 'key', value })));
      expect(await deliveredValues()).toEqual(values);
    },
  );

  it.each(['GZIP', 'Snappy', 'ZSTD'] as const)(
    'is read if another writer has compressed it with %s',
    async (packing) => {
      const foreign = createClient(engine.options, silent).producer();
      await foreign.connect();
      await foreign.send({
        topic: topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION),
        compression: kafkajs.CompressionTypes[packing],
        messages: values.map((value) => ({ key: 'key', value, partition: 3 })),
      });
      await foreign.disconnect();
      expect(await deliveredValues()).toEqual(values);
    },
  );
});
