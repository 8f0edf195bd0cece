import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passingOver } from '../../../processors/runtime/passing-over.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { EmbeddedEngineFixture } from '../../engines/embedded/embedded-engine.fixture.ts';
import { ops } from './ops.fixture.ts';

const WORDS = ['fold-imports', 'imports', '3', '17'];
const BY = ['--by', 'OPS-7'];

const run = (folder: string, ...words: string[]) => ops({ SVC_DATA_FOLDER: folder }, 'pass-over', ...words);

it('npm run ops -- pass-over notes the record and who asked, while the service does not run', async () => {
  const engine = await EmbeddedEngineFixture.open();
  await engine.log.append([{ topic: 'imports', key: 'a', value: '1' }]);
  const partition = partitionOf('a', TOPICS.imports.partitions);
  const record = { group: 'fold-imports', topic: 'imports', generation: 1, partition, offset: 0 } as const;
  const { kind, digest } = passingOver(record, 'OPS-7', 0);
  const words = ['fold-imports', 'imports', `${partition}`, '0', ...BY];
  try {
    await expect(run(engine.folder, ...words)).rejects.toThrow();
    await engine.engine.close();
    const { lines } = await run(engine.folder, ...words);
    expect(lines[0]).toContain(`passes over record 0 of imports/${partition} once the service is started`);
    await engine.reopen();
    expect(await engine.digestIndex.get({ kind, digest })).toEqual({ by: 'OPS-7' });
  } finally {
    await engine.close();
  }
});

it('npm run ops -- pass-over names what the log has where it lacks the record', async () => {
  const engine = await EmbeddedEngineFixture.open();
  await engine.engine.close();
  try {
    const wanted = (partition: string, offset: string, ...options: string[]) =>
      run(engine.folder, 'fold-imports', 'imports', partition, offset, ...BY, ...options);
    await expect(wanted('3000', '0')).rejects.toThrow(
      `partition: seen "3000"; expected 0 to ${TOPICS.imports.partitions - 1}, `,
    );
    await expect(wanted('3', '0')).rejects.toThrow('offset: seen "0"; imports/3 has 0 records');
    await expect(wanted('3', '0', '--generation', '7')).rejects.toThrow(
      'generation: seen "7"; imports has 1',
    );
  } finally {
    await engine.reopen();
    await engine.close();
  }
});

it.each([
  ['an unknown topic', ['fold-imports', 'exports', '3', '17', '--by', 'OPS-7'], 'topic: '],
  [
    'an offset that is none',
    ['fold-imports', 'imports', '3', 'x', '--by', 'OPS-7'],
    'offset: seen "x"; expected a whole number',
  ],
  ['no operator', WORDS, 'by: seen nothing; expected --by with '],
  [
    'a group that reads another topic',
    ['fold-activate', ...WORDS.slice(1), '--by', 'OPS-7'],
    'group: seen "fold-activate"; expected fold-imports',
  ],
])('npm run ops -- pass-over names %s', async (_, words, said) => {
  await expect(run(join(tmpdir(), 'no such folder'), ...words)).rejects.toThrow(said);
});
