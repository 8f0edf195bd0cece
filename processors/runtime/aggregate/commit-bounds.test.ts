import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, settled } from '../../../infra/testing/accounts.fixture.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { COMMIT_CHARACTERS_MAX, COMMIT_ROWS_MAX } from './working-set.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

/** Starts the fold on a store that keeps how many rows and characters each commit had. */
async function startMeasured() {
  const { store } = bench.engine;
  const commits: { rows: number; characters: number }[] = [];
  const measured: Store = {
    load: (...args) => store.load(...args),
    read: (...args) => store.read(...args),
    list: (...args) => store.list(...args),
    commit: (ref, held, changes) => {
      const { put, remove } = changes;
      commits.push({ rows: put.length + remove.length, characters: JSON.stringify(put).length });
      return store.commit(ref, held, changes);
    },
  };
  await bench.startFold({ store: measured });
  return commits;
}

const ROWS = 500;
const COMMANDS = 30;
/** Each of these writes a MiB. */
const FEW = 8;

/** Commands that write many rows each, or remove them. */
const fills = (remove: boolean, prefix: string, commands = COMMANDS) =>
  Array.from({ length: commands }, (_, index) =>
    bench.record('a', 'fill', { prefix: `${prefix}${index}-`, rows: ROWS, remove }),
  );

describe('a commit', () => {
  it.each([
    ['written', false],
    ['removed', true],
  ])('takes a bounded number of rows that are %s', async (_, remove) => {
    await bench.engine.log.append(fills(remove, 'n'));
    const commits = await startMeasured();
    await settled(async () => expect(await bench.sumOf('a')).toBe(COMMANDS * ROWS));
    expect(Math.max(...commits.map(({ rows }) => rows))).toBeLessThanOrEqual(COMMIT_ROWS_MAX + ROWS);
    expect(Math.max(...commits.map(({ rows }) => rows))).toBeGreaterThanOrEqual(COMMIT_ROWS_MAX - ROWS);
  });

  it('takes a bounded number of characters', async () => {
    await bench.engine.log.append(fills(false, 'n'.repeat(2_000), FEW));
    const commits = await startMeasured();
    await settled(async () => expect(await bench.sumOf('a')).toBe(FEW * ROWS));
    const most = Math.max(...commits.map(({ characters }) => characters));
    expect(most).toBeGreaterThan(COMMIT_CHARACTERS_MAX);
    expect(most).toBeLessThan(2 * COMMIT_CHARACTERS_MAX);
  });

  it('is repeated from where it got to when the store fails in between', async () => {
    const replies: string[] = [];
    let commits = 0;
    const { store } = bench.engine;
    const failing: Store = {
      load: (...args) => store.load(...args),
      read: (...args) => store.read(...args),
      list: (...args) => store.list(...args),
      commit: async (...args) => {
        commits += 1;
        return commits === 2 ? 'stale' : await store.commit(...args);
      },
    };
    const records = fills(false, 'n');
    await bench.engine.log.append(records);
    await bench.startFold({
      store: failing,
      replies: {
        listen: bench.engine.replies.listen.bind(bench.engine.replies),
        publish: async (address) => void replies.push(address),
      },
    });
    await settled(async () => expect(await bench.sumOf('a')).toBe(COMMANDS * ROWS));
    const position = (await bench.rootOf('a'))?.applied.offset;
    expect(position).toBe(COMMANDS - 1);
  });
});
