import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { LIVE_WINDOWS_MAX } from './counters.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

describe('EmbeddedCounters', () => {
  let engine: EmbeddedEngineFixture;
  beforeEach(async () => {
    engine = await EmbeddedEngineFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  const take = (key: string) => engine.counters.take(key, 1, MINUTE_MS);

  async function fill(prefix: string, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await take(`${prefix}-${index}`);
  }

  it('rejects new windows beyond its bound, serves the live ones, and takes new ones after they end', async () => {
    await fill('first', LIVE_WINDOWS_MAX);
    await expect(take('one more')).rejects.toThrow(EngineUnavailableError);
    expect(await take('first-0')).toMatchObject({ allowed: false });
    engine.clock.advance(MINUTE_MS);
    await fill('second', LIVE_WINDOWS_MAX);
    expect(await take('second-0')).toMatchObject({ allowed: false });
  });

  it('loses short windows in a restart, and keeps those of an hour', async () => {
    await take('minute');
    await engine.counters.take('hour', 1, 60 * MINUTE_MS);
    await engine.reopen();
    expect(await take('minute')).toMatchObject({ allowed: true });
    expect(await engine.counters.take('hour', 1, 60 * MINUTE_MS)).toMatchObject({ allowed: false });
  });
});
