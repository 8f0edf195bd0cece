import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passingOver } from '../../../processors/runtime/passing-over.ts';
import { EmbeddedEngineFixture } from '../../engines/embedded/embedded-engine.fixture.ts';
import { ops } from './ops.fixture.ts';

const RECORD = { group: 'fold-imports', topic: 'imports', generation: 1, partition: 3, offset: 17 } as const;
const WORDS = ['fold-imports', 'imports', '3', '17'];

const run = (folder: string, ...words: string[]) => ops({ SVC_DATA_FOLDER: folder }, 'pass-over', ...words);

it('npm run ops -- pass-over notes the record and who asked, while the service does not run', async () => {
  const engine = await EmbeddedEngineFixture.open();
  const { kind, digest } = passingOver(RECORD, 'OPS-7', 0);
  try {
    await expect(run(engine.folder, ...WORDS, '--by', 'OPS-7')).rejects.toThrow();
    await engine.engine.close();
    const { lines } = await run(engine.folder, ...WORDS, '--by', 'OPS-7');
    expect(lines[0]).toContain('passes over record 17 of imports/3 once the service is started');
    await engine.reopen();
    expect(await engine.digestIndex.get({ kind, digest })).toEqual({ by: 'OPS-7' });
  } finally {
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
