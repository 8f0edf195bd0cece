import { describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { TOPICS } from '../../topics/catalogue.ts';
import { ImportsWorld } from './imports-world.fixture.ts';
import { importConsumers, PIPELINE } from './pipeline.ts';
import { importId, NAME } from './statuses.fixture.ts';
import { inlineJobs } from './threads/inline-jobs.fixture.ts';

/** Runs the fold of each stage, by its name, so that an import of two partitions goes through all. */
function foldedBy(world: ImportsWorld): Readonly<Record<string, () => void>> {
  return {
    start: () => world.validate(NAME),
    partitions: () => world.split(NAME, 1, 2),
    batch: () => world.partition(NAME, 1, 0),
    join: () => world.partition(NAME, 1, 1),
  };
}

describe('PIPELINE', () => {
  it('has one consumer for each work topic of imports', async () => {
    const engine = await EmbeddedEngineFixture.open();
    const topics = importConsumers(engine, inlineJobs()).map(({ topic }) => topic);
    await engine.close();
    const work = Object.entries(TOPICS).filter(
      ([name, { kind }]) => kind === 'work' && name.startsWith('import'),
    );
    expect(topics.sort()).toEqual(work.map(([name]) => name).sort());
  });

  it('hands on: the topic and the commands that a stage reads are written by a stage before it', () => {
    // The command that starts a validation comes from a request.
    const written = new Set(['validate-import']);
    for (const { reads, writes } of PIPELINE) {
      expect(itemsOf(reads).filter((item) => !written.has(item))).toEqual([]);
      for (const item of itemsOf(writes)) written.add(item);
    }
  });

  it('names the rows that each fold writes, and the topic of its items', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    world.upload(NAME);
    world.map(NAME);
    const folds = foldedBy(world);
    for (const stage of PIPELINE.filter(({ in: place }) => place === 'fold')) {
      const [before, sent] = [rowsOf(world), world.folds.elsewhere.length];
      folds[stage.name]?.();
      const changed = [...rowsOf(world)]
        .filter(([id, text]) => before.get(id) !== text)
        .map(([id]) => kindOf(id));
      expect({ [stage.name]: [...new Set(changed)].sort() }).toEqual({
        [stage.name]: [...(stage.writes.rows ?? [])].sort(),
      });
      const topics = world.folds.elsewhere.slice(sent).map(({ topic }) => topic);
      // The world is a preview's.
      const named = stage.writes.topics?.filter((topic) => topic.includes('preview'));
      expect([...new Set(topics)]).toEqual(named ?? []);
    }
    expect(world.row('import', importId)).toMatchObject({ status: 'ready' });
  });
});

/** The data that passes from a stage to a later one, except rows. */
function itemsOf({ commands = [], topics = [], blobs = [] }: (typeof PIPELINE)[number]['reads']): string[] {
  return [...commands, ...topics, ...blobs];
}

/** The product's rows by kind and id. */
function rowsOf(world: ImportsWorld): Map<string, string> {
  const { rows } = JSON.parse(world.documents()) as { rows: string[] };
  return new Map(
    rows.map((text) => {
      const { kind, id } = JSON.parse(text) as JsonObject & { kind: string; id: string };
      return [`${kind} ${id}`, text];
    }),
  );
}

function kindOf(id: string): string {
  return id.split(' ')[0] ?? '';
}
