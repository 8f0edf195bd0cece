import { describe, expect, it } from 'vitest';
import { refusalOf } from '../http/failures.ts';
import { LOOKUPS_OF_A_KEY, MissedKeys } from './missed-keys.ts';

const PER_MINUTE = 30;

describe('MissedKeys', () => {
  let now = 0;
  const newKeys = () => new MissedKeys(PER_MINUTE, () => now);
  const refusal = (take: () => void) => {
    try {
      take();
    } catch (error) {
      return refusalOf(error);
    }
    return null;
  };

  it('bounds the look-ups of an address in a minute, and those of no other address', () => {
    const keys = newKeys();
    for (let index = 0; index < PER_MINUTE; index += 1) expect(keys.take('a', `key ${index}`)).toBe(true);
    now += 20_000;
    expect(refusal(() => keys.take('a', 'one more'))).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 40,
    });
    expect(keys.take('b', 'one more')).toBe(true);
    now += 40_000;
    expect(keys.take('a', 'one more')).toBe(true);
  });

  it('leaves a neighbour most of the look-ups when one wrong key is repeated', () => {
    const keys = newKeys();
    const looked = Array.from({ length: 1_000 }, () => keys.take('a', 'wrong'));
    expect(looked.filter(Boolean)).toHaveLength(LOOKUPS_OF_A_KEY);
    for (let index = LOOKUPS_OF_A_KEY; index < PER_MINUTE; index += 1) {
      expect(keys.take('a', `key ${index}`)).toBe(true);
    }
    expect(refusal(() => keys.take('a', 'one more'))).not.toBeNull();
  });

  it('does not count keys that were found', () => {
    const keys = newKeys();
    for (let index = 0; index < 10 * PER_MINUTE; index += 1) {
      expect(keys.take('a', `key ${index % 40}`)).toBe(true);
      keys.giveBack('a', `key ${index % 40}`);
    }
  });
});
