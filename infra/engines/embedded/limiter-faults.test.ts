import { StatementSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { activate, ask, checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { EmbeddedLimiterFixture } from './embedded-limiter.fixture.ts';

const ROOM = { shortWindowsMax: 1, rememberedMax: 10, rememberedGuaranteed: 10 };

let held: EmbeddedLimiterFixture;

afterEach(async () => {
  vi.restoreAllMocks();
  await held.close();
});

/** Lets the reading of a number from now on fail, once. */
function failReading(number: number): void {
  const get = StatementSync.prototype.get;
  let readings = 0;
  vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (this: StatementSync, ...values) {
    readings += 1;
    if (readings === number) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    return get.apply(this, values);
  });
}

describe('EmbeddedLimiter beside windows on the disk', () => {
  it.each([1, 2, 3, 4, 5])(
    'counts all windows of a call or none if reading %i of the disk fails',
    async (number) => {
      held = await EmbeddedLimiterFixture.open(ROOM);
      const check = await activate(held, checkWith({ windowMs: 5 * MINUTE_MS, limit: 5 }));
      for (const identifier of ['first', 'second']) await ask(held, { ...check, identifier });
      const entries = ['ada', 'grace'].map((identifier) => ({ ...check, identifier }));
      const digests = { digest: 'a'.repeat(64), inputDigest: 'b'.repeat(64) };
      const call = () => held.limiter.checkAll({ ...check, idempotency: digests }, entries);
      failReading(number);
      const failed = await call().then(
        () => false,
        (error: unknown) => error instanceof EngineUnavailableError || Promise.reject(error),
      );
      vi.restoreAllMocks();
      const counts = async () =>
        (await Promise.all(entries.map((entry) => held.limiter.readWindow(entry)))).map(
          (one) => one?.used ?? 0,
        );
      expect(await counts()).toEqual(failed ? [0, 0] : [1, 1]);
      expect(await call()).toMatchObject({ allowed: true });
      expect(await counts()).toEqual([1, 1]);
    },
  );
});
