import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../schemas/products.ts';
import type { ProductWork } from '../../schemas/workspaces/product.ts';
import { TOPICS } from '../../topics/catalogue.ts';
import { deployedProcesses } from '../deployment/kubernetes/processes.fixture.ts';
import { PARTITION_FETCH_BYTES_MAX } from '../engines/kafka/group-member.ts';
import { GUARANTEED_BYTES_A_PARTITION, RECORDS_TOGETHER_BYTES_MAX } from '../engines/shared/record-memory.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MIB = 1_024 * 1_024;

const document = readFileSync(join(import.meta.dirname, 'bounds.md'), 'utf8');

/** Readers that run in the workers. */
const WORKERS = [
  'processors/mail/sender',
  ...PRODUCTS.flatMap(({ topic, works }) =>
    Object.values<ProductWork>(works).map(({ reader }) => `processors/${topic}/${reader}`),
  ),
];

it('a processor of the manifests holds at most half of its memory in records, as the page says', () => {
  const partitions = Object.values(TOPICS)
    .flatMap(({ readers, partitions: count }) => readers.map((reader) => ({ reader, count })))
    .filter(({ reader }) => reader.startsWith('processors/') && !WORKERS.includes(reader))
    .reduce((sum, { count }) => sum + count, 0);
  const each = GUARANTEED_BYTES_A_PARTITION + PARTITION_FETCH_BYTES_MAX;
  const most = (RECORDS_TOGETHER_BYTES_MAX + partitions * each) / MIB;
  expect(document).toContain(`all ${partitions} partitions`);
  expect(document).toContain(`records and fetches are ${most} MiB at most`);
  const processors = deployedProcesses().find(({ name }) => name.includes('processors'));
  expect(2 * most).toBeLessThan(Number.parseInt(processors?.container.resources.limits.memory ?? '', 10));
});

/** Files of the product with a loop that has no condition, and what ends it. */
const ENDLESS_LOOPS: Readonly<Record<string, string>> = {
  'cli/client/delivery.ts': 'One look without follow and pollMs, otherwise the signal.',
  'cli/client/transport.ts': 'The deadline, or the most attempts.',
  'cli/imports/correct.ts': 'The end of the work, whose rows are bounded.',
  'gateway/http/server/arrival.ts': 'The body ends, or it is too slow or too late.',
  'gateway/imports/delivery/deliveries.ts': 'The seconds that the request may wait.',
  'gateway/http/body/strict-json.ts': 'The text is valid JSON, so that each of its strings has an end.',
  'infra/engines/kafka/grow.ts': 'The generation is drained, or a person ends the program.',
  'infra/engines/kafka/lz4.ts': 'The end mark of a frame, or its bytes are over.',
  'infra/service/engine/connect-with-retry.ts': 'The deadline of the start.',
  'processors/checks/runner/room-folders.ts': 'REMOVALS_MAX.',
  'processors/runtime/aggregate/aggregate.ts': 'UNKNOWN_LOOKUPS_MAX.',
  'processors/runtime/work/work-handler.ts': 'Attempts end with the item, its dead letter or the partition.',
  'widgets/console/pages/keys/month.ts':
    'The end of the axis, which grows tenfold each time, is beyond the number.',
  'schemas/imports/fix/repair.ts': 'The end of the line.',
  'schemas/imports/fix/rows.ts': 'The end of the row, or of the text.',
  'schemas/imports/fix/slices.ts': 'The end of the work, or its signal.',
};

/** Code by which callers share a bound. */
const SHARING = /\bnew (?:Shares|Turns|Semaphore)\(/;

const PRODUCT = [
  'schemas',
  'topics',
  'gateway',
  'processors',
  'cli',
  'widgets',
  'infra/engines',
  'infra/service',
];
const NO_PRODUCT = /\.(test|contract|fixture|sim|d)\.ts$|\/(testing|simulation)\//;
const ENDLESS = /\bwhile \(true\)|\bfor \([^;)]*; ?;/;

/** The text of each source file of the product. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  execFileSync('git', ['ls-files', ...PRODUCT], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !NO_PRODUCT.test(file))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

it('each loop without a condition has an end', () => {
  const endless = [...SOURCES].filter(([, text]) => ENDLESS.test(text)).map(([file]) => file);
  expect(endless.sort()).toEqual(Object.keys(ENDLESS_LOOPS).sort());
});

/** The bounds in the tables of shares: what the page says they are, by the name of their constant. */
const SHARED = new Map(
  [
    ...document
      .slice(document.indexOf('## Shares'))
      .matchAll(/^\| [^|]* \| ([^|]*) \|.*\| `([A-Z_]+)` +\|$/gm),
  ].map(([, most = '', name = '']) => [name, most]),
);

/** The files that declare a constant, with its value. */
const declarationsOf = (name: string) =>
  [...SOURCES].flatMap(([file, text]) => {
    const value = new RegExp(`\\bconst ${name}(?:: \\w+)? =([^;]*);`).exec(text)?.[1];
    return value === undefined ? [] : [{ file, value }];
  });

describe('the tables of shares', () => {
  it.each([...SHARED])('say of %s: %s', (name, most) => {
    const first = Number(/[\d,]+/.exec(most)?.[0].replaceAll(',', ''));
    const values = declarationsOf(name).map(({ value }) =>
      value.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1),
    );
    expect(
      values.map((value) => (most.includes('MiB') && !most.includes('of') ? value / MIB : value)),
    ).toContain(first);
  });

  it('have a bound of each file in which callers share something', () => {
    const files = [...SHARED.keys()].flatMap((name) => declarationsOf(name).map(({ file }) => file));
    const sharing = [...SOURCES].filter(([file, text]) => !file.startsWith('cli/') && SHARING.test(text));
    const unnamed = sharing.filter(
      ([file, text]) => !files.includes(file) && ![...SHARED.keys()].some((name) => text.includes(name)),
    );
    // Both wait as `WAITING_MAX` says.
    expect(unnamed.map(([file]) => file)).toEqual([
      'processors/checks/runner/check-runner.ts',
      'processors/imports/threads/thread-pool.ts',
    ]);
  });

  it('have each bound that the tests of neighbours fill', () => {
    const neighbours = readFileSync(join(ROOT, 'infra/testing/e2e/operations/neighbours.test.ts'), 'utf8');
    const filled = [...neighbours.matchAll(/\bbound: '([A-Z_]+)'/g)].map(([, name]) => name);
    expect(filled.length).toBeGreaterThan(0);
    expect([...SHARED.keys()]).toEqual(expect.arrayContaining(filled));
  });
});
