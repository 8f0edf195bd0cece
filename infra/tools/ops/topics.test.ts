import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPIC_NAMES, TOPICS } from '../../../topics/catalogue.ts';
import { EmbeddedEngineFixture } from '../../engines/embedded/embedded-engine.fixture.ts';
import { clusterEnvironment } from '../service-process/cluster-environment.ts';
import { ops } from './ops.fixture.ts';

let engine: EmbeddedEngineFixture;
beforeAll(async () => {
  engine = await EmbeddedEngineFixture.open();
  await engine.log.append(['1', '2', '3'].map((value) => ({ topic: 'imports', key: 'a', value })));
});
afterAll(() => engine.close());

const run = (...words: string[]) => ops({ SVC_DATA_FOLDER: engine.folder }, ...words);

describe('npm run ops, beside a running service', () => {
  it('lists every topic with its partitions, records and lag', async () => {
    const { data, lines } = await run('topics');
    expect(lines).toHaveLength(TOPIC_NAMES.length);
    const { partitions } = TOPICS.imports;
    expect(data['topics']).toContainEqual({
      ...{ topic: 'imports', group: 'fold-imports', generation: 1, partitions, records: 3, lag: 3 },
    });
    expect(lines).toContainEqual(
      expect.stringMatching(/^dead-letters +1 partition of generation 1, 0 records, /),
    );
  });

  it('lists the partitions that are behind', async () => {
    const { data, lines } = await run('lag', '--topic', 'imports');
    expect(data).toMatchObject({ lag: 3 });
    expect(lines.join()).toContain('of generation 1: 3 of 3 records not handled');
    expect((await run('lag', '--topic', 'usage')).lines).toEqual(['No partition is behind.']);
    await expect(run('lag', '--topic', 'exports')).rejects.toThrow('topic: seen "exports"; expected one of ');
  });
});

it('npm run ops names the server of a cluster that does not answer, and what to do', async () => {
  const nowhere = { ...clusterEnvironment({}), CASSANDRA_CONTACT_POINTS: '127.0.0.1:9' };
  await expect(ops(nowhere, 'lag')).rejects.toThrow(/^CASSANDRA_CONTACT_POINTS \(127\.0\.0\.1:9\): .+; \w/);
});
