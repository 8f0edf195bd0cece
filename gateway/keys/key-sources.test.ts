import { describe, expect, it } from 'vitest';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { servicesReading } from '../http/records/stored.fixture.ts';
import { createKeySources } from './key-sources.ts';

const account = idFrom('organization', new Uint8Array(ID_BYTES));
const keyId = idFrom('key', new Uint8Array(ID_BYTES));
const at = Date.UTC(2026, 10, 21);

interface Situation {
  readonly mode?: 'test' | 'live';
  readonly revokedAt?: number;
  readonly expiresAt?: number;
  readonly subscription?: 'active' | 'canceled' | 'expired' | 'declined';
  readonly state?: 'active' | 'released';
}

/** Reads the status of a key of an organization in this situation. */
async function statusIn({ mode = 'live', revokedAt, expiresAt, subscription, state = 'active' }: Situation) {
  const key = {
    product: 'limiter',
    mode,
    name: 'Backend',
    digest: '0'.repeat(64),
    last4: 'abcd',
    createdAt: at,
    createdBy: idFrom('user', new Uint8Array(ID_BYTES)),
    revokedAt: revokedAt ?? null,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const subscriptionRow = {
    kind: 'subscription',
    id: 'current',
    document: { plan: 'free', status: subscription ?? '', since: at, decided: { at, eventId: null } },
  };
  const root = {
    name: 'Example',
    operator: false,
    createdAt: at,
    members: 1,
    owners: 1,
    openInvitations: [],
  };
  const { store } = servicesReading({
    [`organizations/${account}`]: {
      root: { ...root, state },
      rows: [
        { kind: 'api-key', id: keyId, document: key },
        ...(subscription === undefined ? [] : [subscriptionRow]),
      ],
    },
  });
  return (await createKeySources(store).readStatus({ account, keyId }))?.status ?? null;
}

describe('the status of a key, as its organization says', () => {
  it.each([
    ['a test key', { mode: 'test' }, 'active'],
    ['a test key beside a subscription that ended', { mode: 'test', subscription: 'expired' }, 'active'],
    ['a live key without a subscription', {}, 'payment-required'],
    ['a live key with one', { subscription: 'active' }, 'active'],
    ['a live key with one that was canceled', { subscription: 'canceled' }, 'payment-required'],
    ['a live key with one that expired', { subscription: 'expired' }, 'payment-required'],
    ['a live key with one that was declined', { subscription: 'declined' }, 'payment-required'],
    [
      'a key that has ended, which the limiter decides by its clock',
      { mode: 'test', expiresAt: 1 },
      'active',
    ],
    ['a key that was revoked', { subscription: 'active', revokedAt: at }, 'revoked'],
    ['a key of an organization that was never made', { mode: 'test', state: 'released' }, null],
  ] as const)('%s', async (_which, situation, status) => {
    expect(await statusIn(situation)).toBe(status);
  });

  it('is none for a key that no organization holds', async () => {
    const { store } = servicesReading({});
    expect(await createKeySources(store).readStatus({ account, keyId })).toBe(null);
    expect(await createKeySources(store).readMonthUse({ account, keyId }, '2026-11')).toBe(0);
  });
});
