import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { READ_WAIT_MS } from '../../gateway/limiter/bounded-reads.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { CHECK_BOUNDS } from '../../schemas/limiter/http.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { HOURS_KEPT_MONTHS, MINUTES_KEPT_DAYS } from '../../schemas/usage/documents.ts';
import { CHECK_REMEMBERED_MS, KEY_STATUS_LIFE_MS, USAGE_INTERVAL_MS } from '../../topics/ports/limiter.ts';
import { SHORT_WINDOWS_MAX } from '../engines/embedded/limiter.ts';

const text = readFileSync(new URL('rate-limits.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const { limiter } = DEFAULT_LIMITS;
const inEnglish = (count: number) => count.toLocaleString('en');

it.each([
  `| \`test\` | ${limiter.testPerMinute} | ${inEnglish(limiter.testPerMonth)}, then 429 |`,
  `| \`live\` | ${inEnglish(limiter.livePerMinute)} | no end; ${inEnglish(limiter.liveFreePerMonth)} an organization free |`,
  `At most ${limiter.keysPerMode} keys of a mode are active at once.`,
  `looked up ${DEFAULT_LIMITS.http.unauthorizedPerMinute} times a minute for each address`,
  `at most ${inEnglish(limiter.windows)} windows that have not ended`,
  `an organization with ${inEnglish(limiter.windows)} takes`,
  `Minutes are told apart for ${MINUTES_KEPT_DAYS} days`,
  `hours for ${HOURS_KEPT_MONTHS} months`,
])('says what the defaults are: %s', (sentence) => {
  expect(text).toContain(sentence);
});

it('says what is allowed in a check', () => {
  const { namespaceCharacters, identifierCharacters, limit, windowMs } = CHECK_BOUNDS;
  expect(text).toMatch(
    new RegExp(`\\| \`namespace\` \\|[^|]*\\| 1 to ${namespaceCharacters} characters \\|`),
  );
  expect(text).toMatch(
    new RegExp(`\\| \`identifier\` \\|[^|]*\\| 1 to ${identifierCharacters} characters \\|`),
  );
  expect(text).toMatch(new RegExp(`\\| \`limit\` \\|[^|]*\\| a whole number, 1 to ${inEnglish(limit)} \\|`));
  expect(text).toContain(`a whole number, 1 to ${inEnglish(windowMs)} (${windowMs / DAY_MS} days) |`);
  expect(text).toContain(`a body of more than ${DEFAULT_LIMITS.http.jsonBytes / 1_024} KiB`);
});

it('says how many short windows the embedded engine holds', () => {
  expect(text).toContain('one million of all organizations together');
  expect(SHORT_WINDOWS_MAX).toBe(1_000_000);
});

it('says how long things take and last', () => {
  expect(text).toContain('every five seconds');
  expect(USAGE_INTERVAL_MS).toBe(5 * SECOND_MS);
  expect(text).toContain('For a minute, the same check with the same API key');
  expect(CHECK_REMEMBERED_MS).toBe(MINUTE_MS);
  expect(text).toContain('has to read first longer than half a second');
  expect(READ_WAIT_MS).toBe(SECOND_MS / 2);
  expect(text).toContain('keys in use work for up to a minute');
  expect(KEY_STATUS_LIFE_MS).toBe(MINUTE_MS);
});
