import { expect, it } from 'vitest';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { keyAnswer } from './key-answers.ts';

const createdAt = Date.UTC(2026, 10, 21, 12, 0, 30);
const key = {
  product: 'limiter',
  mode: 'test',
  name: 'Backend',
  digest: '0'.repeat(64),
  last4: 'abcd',
  createdAt,
  createdBy: idFrom('user', new Uint8Array(ID_BYTES)),
  revokedAt: null,
} as const;
const keyId = idFrom('key', new Uint8Array(ID_BYTES));
const lastUse = (lastUsedAt: number | null) => keyAnswer(keyId, key, lastUsedAt).lastUsedAt;

it('shows no last use before the key was made, although uses are known to the minute', () => {
  expect(lastUse(Date.UTC(2026, 10, 21, 12, 0))).toBe('2026-11-21T12:00:30.000Z');
  expect(lastUse(Date.UTC(2026, 10, 21, 12, 1))).toBe('2026-11-21T12:01:00.000Z');
  expect(lastUse(null)).toBeNull();
});
