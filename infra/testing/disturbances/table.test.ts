import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { titlePattern } from './disturbance.ts';
import { DISTURBANCES } from './disturbances.ts';
import { resultOf, type TestOutcome, table } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CONFIGURATION = readFileSync(join(ROOT, 'infra/testing/config/vitest.config.ts'), 'utf8');

/** Words for the disturbances that need a row. */
const NAMED = [
  'clock',
  "month's end",
  'locked',
  'disk full',
  'read-only',
  'bytes missing',
  'secret changed',
  'file missing',
  'port in use',
  'folder in use',
  'hung',
  'restarted',
  'flushed',
  'script cache',
  'offsets expired',
  'group added',
  'zombie',
  'without an end',
  'silent connection',
];

describe('the table of disturbances', () => {
  it.each(NAMED)('has a row for "%s"', (words) => {
    expect(DISTURBANCES.filter(({ name }) => name.includes(words))).not.toHaveLength(0);
  });

  it('names each disturbance once', () => {
    const names = DISTURBANCES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(DISTURBANCES)('injects "$name" in a test that exists, and is run', ({ test }) => {
    const file = join(ROOT, test.file);
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(test.title.replaceAll("'", "\\'"));
    expect(text).not.toMatch(/\b(it|describe)\.(only|skip|todo)\(/);
    expect(test.file.endsWith('.engine.test.ts')).toBe(test.project === 'engines');
    // Only the journeys that the configuration names run on the cluster each time.
    if (test.project === 'journeys')
      expect(CONFIGURATION).toContain(`  '${basename(test.file, '.test.ts')}',\n`);
  });

  it('names every test of this folder that injects something', () => {
    const injecting = readdirSync(import.meta.dirname).filter(
      (name) => name.endsWith('.test.ts') && name !== 'table.test.ts',
    );
    for (const name of injecting) {
      expect(DISTURBANCES.map(({ test }) => test.file)).toContain(`infra/testing/disturbances/${name}`);
    }
  });

  const [first, second] = DISTURBANCES.slice(0, 2) as [
    (typeof DISTURBANCES)[number],
    (typeof DISTURBANCES)[number],
  ];
  const outcome = (status: TestOutcome['status'], title = first.test.title.replace('%s', 'a day back')) => ({
    file: first.test.file,
    title,
    status,
  });

  it('claims only what a test has proven', () => {
    expect(resultOf(first, [outcome('passed')])).toBe('yes');
    expect(resultOf(first, [outcome('passed'), outcome('failed')])).toBe('no');
    expect(resultOf(first, [outcome('left out')])).toBe('left out');
    expect(resultOf(first, [outcome('passed', 'another test')])).toBe('left out');
    const [, held = '', unproven = ''] = table([first, second], [outcome('passed')]);
    expect(held).toMatch(/by itself +nothing +yes$/);
    expect(unproven).toMatch(/left out$/);
    expect(unproven).not.toContain(second.seen);
  });

  it('finds a test by its title, whatever its placeholders stand for', () => {
    expect('a (b) %').toMatch(new RegExp(`^${titlePattern('a (b) %')}$`));
    expect('kill 7 of it').toMatch(new RegExp(`^${titlePattern('kill %i of it')}$`));
    expect('kill of it').not.toMatch(new RegExp(`^${titlePattern('kill %i of it')}$`));
  });
});
