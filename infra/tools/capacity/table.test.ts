import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readCosts } from './costs.ts';
import { DEFAULT_ASSUMPTIONS } from './model.ts';
import { renderTable, short } from './table.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

describe('the table', () => {
  const table = renderTable(
    [1_000, 1_000_000].map((eventsPerSecond) => ({ eventsPerSecond, aggregates: 1_000 })),
    readCosts(),
    DEFAULT_ASSUMPTIONS,
  );

  it('has a column for every demand', () => {
    expect(table).toMatch(/^events a second +1k +1M$/m);
    for (const label of [
      'partitions of the topic',
      'gateways',
      'Kafka brokers',
      'Cassandra nodes',
      'kept in Kafka',
    ]) {
      expect(table).toMatch(new RegExp(`^${label}[^\\n]* [\\d.]+[kMGTP]?B? +[\\d.]+[kMGTP]?B?$`, 'm'));
    }
  });

  it('says what it rests on, and what one Redis does not carry', () => {
    expect(table).toContain('npm run bench:capacity');
    expect(table).toContain('at most 50 % busy, 3 copies');
    expect(table).toContain('* More than one Redis server carries');
  });
});

describe('short', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_250, '1.3k'],
    [340_000_000, '340M'],
    [2.5e15, '2.5P'],
  ])('writes %d as %s', (value, text) => {
    expect(short(value)).toBe(text);
  });
});

describe('npm run capacity', () => {
  it('takes every assumption as an option', () => {
    const table = run('--events', '5000', '--aggregates', '50', '--utilization', '0.25', '--turn-ms', '5');
    expect(table).toMatch(/^events a second +5k$/m);
    expect(table).toMatch(/^aggregates at once +50$/m);
    expect(table).toContain('at most 25 % busy');
    expect(table).toContain('turns of 5 ms');
  });

  it.each([
    [['--events', 'many'], /--events: expected a positive number, seen "many"/],
    [['--utilization', '2'], /--utilization: expected at most 1/],
    [['--node-core', '2'], /node-core/],
  ])('refuses %j', (options, message) => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...options], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('names its options', () => {
    expect(run('--help')).toContain('--partitions-per-processor 2');
  });
});

function run(...options: readonly string[]): string {
  return execFileSync(process.execPath, [MAIN, ...options], { encoding: 'utf8' });
}
