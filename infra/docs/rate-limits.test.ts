import { expect, it } from 'vitest';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { KEY_STATUS_LIFE_MS, USAGE_INTERVAL_MS } from '../../topics/ports/limiter.ts';
import { SHORT_WINDOWS_MAX } from '../engines/embedded/limiter.ts';
import { readGuide } from './guide-code.fixture.ts';

const text = readGuide('rate-limits.md').replaceAll(/\s+/g, ' ');
const inEnglish = (count: number) => count.toLocaleString('en');

it('states how many windows an organization and the embedded engine hold', () => {
  expect(text).toContain(`an organization with ${inEnglish(DEFAULT_LIMITS.limiter.windows)} takes`);
  expect(text).toContain('one million of all organizations together');
  expect(SHORT_WINDOWS_MAX).toBe(1_000_000);
});

it('states how long usage and the status of a key may lag', () => {
  expect(text).toContain('every five seconds');
  expect(USAGE_INTERVAL_MS).toBe(5 * SECOND_MS);
  expect(text).toContain('keys in use work for up to a minute');
  expect(KEY_STATUS_LIFE_MS).toBe(60 * SECOND_MS);
});
