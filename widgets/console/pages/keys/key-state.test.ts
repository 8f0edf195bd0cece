import { describe, expect, it } from 'vitest';
import { keyState } from './key-state.ts';
import type { KeyOverview } from './queries.ts';

const NOW = Date.UTC(2026, 8, 18, 14);
const NONE = { allowed: 0, denied: 0, refused: 0 };
const AROUND = { now: NOW, subscription: 'active', testPerMonth: 1_000 } as const;

const KEY: KeyOverview = {
  keyId: 'key_aaaaaaaaaaaaaaaaaaaaaaaa',
  product: 'limiter',
  mode: 'live',
  name: 'checkout-eu',
  prefix: 'svc_limiter_live_',
  last4: 'x7Qa',
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'usr_aaaaaaaaaaaaaaaaaaaaaaaa',
  lastUsedAt: '2026-09-18T13:59:00.000Z',
  revokedAt: null,
  expiresAt: null,
  replacedBy: null,
  hours: Array.from({ length: 36 }, () => NONE),
  month: { used: 10 },
};

/** The key with calls that were refused this number of hours ago. */
function refusedAgo(hours: number): KeyOverview {
  return {
    ...KEY,
    hours: KEY.hours.map((none, at) =>
      at === KEY.hours.length - 1 - hours ? { ...none, refused: 201 } : none,
    ),
  };
}

describe('keyState', () => {
  it.each([
    ['In use', KEY, {}],
    ['Not used yet', { ...KEY, lastUsedAt: null }, {}],
    ['In use', { ...KEY, lastUsedAt: '2026-08-20T14:00:00.000Z' }, {}],
    ['Idle 30 d', { ...KEY, lastUsedAt: '2026-08-19T14:00:00.000Z' }, {}],
    ['Idle 99 d', { ...KEY, lastUsedAt: '2026-06-11T14:00:00.000Z' }, {}],
    ['Over its quota', refusedAgo(1), {}],
    ['In use', refusedAgo(2), {}],
    ['Needs a subscription', KEY, { subscription: 'canceled' }],
    ['In use', KEY, { subscription: null }],
    ['In use', { ...KEY, mode: 'test' }, { subscription: 'none' }],
    ['Month used up', { ...KEY, mode: 'test', month: { used: 1_000 } }, {}],
    ['Ends soon', { ...KEY, expiresAt: '2026-09-25T14:00:00.000Z' }, {}],
    ['In use', { ...KEY, expiresAt: '2026-09-25T14:00:01.000Z' }, {}],
    ['Replaced', { ...KEY, expiresAt: '2026-09-18T15:00:00.000Z', replacedBy: KEY.keyId }, {}],
    ['In use', { ...KEY, month: { used: 1_000 } }, {}],
  ] as const)('is %s', (word, key, around) => {
    expect(keyState(key, { ...AROUND, ...around }).word).toBe(word);
  });
});
