import { afterEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { activate, ask, checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { EmbeddedLimiterFixture } from './embedded-limiter.fixture.ts';

const LIMIT = 3;
const NO_ROOM = { shortWindowsMax: 0, rememberedMax: 1, rememberedGuaranteed: 1 };

let held: EmbeddedLimiterFixture;

afterEach(() => held.close());

const renew = (check: Check) => activate(held, check);

async function useUp(check: Check): Promise<void> {
  for (let call = 0; call < LIMIT; call += 1) await ask(held, check);
  expect(await ask(held, check)).toMatchObject({ allowed: false });
}

describe.each([
  ['in memory', undefined, 5 * MINUTE_MS],
  ['on the disk for lack of room', NO_ROOM, 5 * MINUTE_MS],
  ['of an hour', undefined, HOUR_MS],
])('a window %s that was reset', (_, room, windowMs) => {
  it.each([
    ['an orderly restart', { orderly: true }],
    ['a kill', { orderly: false }],
  ])('stays reset after %s, although an orderly stop had written it', async (_how, how) => {
    held = await EmbeddedLimiterFixture.open(room);
    const check = await renew(checkWith({ windowMs, limit: LIMIT }));
    await useUp(check);
    await held.restart({ orderly: true });
    await renew(check);
    expect(await held.limiter.endWindow(check)).toBe(true);
    await held.restart(how);
    await renew(check);
    expect(await held.limiter.readWindow(check)).toBeNull();
    expect(await ask(held, check)).toMatchObject({ allowed: true, remaining: LIMIT - 1 });
  });

  it('stays reset while other windows are on the disk for lack of room', async () => {
    held = await EmbeddedLimiterFixture.open(room ?? { ...NO_ROOM, shortWindowsMax: 2 });
    const check = await renew(checkWith({ windowMs, limit: LIMIT }));
    await useUp(check);
    await held.restart({ orderly: true });
    await renew(check);
    for (let other = 0; other < 4; other += 1) await ask(held, { ...check, identifier: `other-${other}` });
    expect(await held.limiter.endWindow(check)).toBe(true);
    expect(await ask(held, check)).toMatchObject({ allowed: true, remaining: LIMIT - 1 });
  });
});
