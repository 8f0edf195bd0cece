import { confirm, type Prepare, press } from './lost-act.ts';

/** The acts on keys and on the subscription, by route. */
export const KEY_ACTS: Readonly<Record<string, Prepare>> = {
  createKey: async ({ name, count }) => ({
    at: '/keys?do=create',
    press: confirm(null, 'Create key', { Name: name }),
    text: `Key “${name}” created`,
    offers: 'Revoke it',
    counted: () => count('/v1/keys?limit=100', 'keys', { name }),
  }),
  rotateKey: async ({ seeds, read }) => {
    const { keyId } = await seeds.key();
    const before: { keys: object[] } = await read('/v1/keys?limit=100');
    return {
      at: `/keys/${keyId}?do=rotate`,
      press: confirm(null, 'Rotate key'),
      text: 'New key',
      offers: 'Rotate it',
      counted: async () => (await read('/v1/keys?limit=100')).keys.length - before.keys.length,
    };
  },
  changeKey: async ({ seeds, name, count }) => {
    const { keyId } = await seeds.key();
    return {
      at: `/keys/${keyId}`,
      press: confirm('Edit…', 'Save', { Name: name }),
      text: 'The key is changed',
      shown: name,
      counted: () => count('/v1/keys?limit=100', 'keys', { keyId, name }),
    };
  },
  revokeKey: async ({ seeds, count }) => {
    const { keyId } = await seeds.key();
    return {
      at: `/keys/${keyId}`,
      press: confirm(/^Revoke/, 'Revoke key'),
      text: 'is revoked',
      shown: 'Revoked',
      counted: async () => 1 - (await count('/v1/keys?limit=100', 'keys', { keyId, revokedAt: null })),
    };
  },
  resetKeyWindow: async ({ seeds, name, send }) => {
    const { keyId, key } = await seeds.key();
    const window = { namespace: 'sign-in', identifier: name, window: 900_000 };
    await seeds.client.send('POST', '/v1/check', 200, { bearer: key, json: { ...window, limit: 1 } });
    return {
      at: `/keys/${keyId}`,
      press: async (page) => {
        await page.getByRole('textbox', { name: 'Namespace' }).fill(window.namespace);
        await page.getByRole('textbox', { name: 'Identifier' }).fill(name);
        await page.getByRole('spinbutton', { name: 'Window' }).fill('15');
        await press(page, 'Look');
        await confirm('Reset window…', 'Reset window')(page);
      },
      text: 'No window is running now',
      shown: 'Backend',
      counted: async () => ((await send(`/v1/keys/${keyId}/window`, window)).startedAt === null ? 1 : 0),
    };
  },
  subscribe: async ({ organization, is }) => {
    const cookie = await organization();
    return {
      at: '/keys',
      cookie,
      press: (page) => press(page, 'Start subscription'),
      text: 'Subscription started',
      shown: /Cancel subscription/,
      counted: () => is('/v1/subscription', { status: 'active' }, cookie),
    };
  },
  cancelSubscription: async ({ organization, send, is }) => {
    const cookie = await organization();
    await send('/v1/subscription', { plan: 'free' }, 200, cookie);
    return {
      at: '/keys',
      cookie,
      press: async (page) => {
        await press(page, /^Cancel subscription/);
        await press(page, 'Cancel subscription');
      },
      text: 'Subscription cancelled',
      shown: 'Start subscription',
      counted: () => is('/v1/subscription', { status: 'canceled' }, cookie),
    };
  },
};
