import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOverviewListSchema } from '../../../../schemas/keys/overview.ts';
import { LimiterService } from './limiter-service.fixture.ts';

/** The live keys whose days one overview adds up. */
const KEYS_SUMMED = 100;
/** Usage is published every few seconds. */
const PUBLISHED = { timeout: 90_000, interval: 500 };

let service: LimiterService;
beforeAll(async () => {
  service = await LimiterService.start();
});
afterAll(() => service.dispose());

describe('GET /v1/key-overviews', () => {
  const callNewKey = async () => {
    const { keyId, key } = await service.newKey('live');
    expect((await service.check(key)).status).toBe(200);
    await service.owner('DELETE', `/v1/keys/${keyId}`);
  };

  const overview = async () => {
    const { body } = await service.owner('GET', '/v1/key-overviews');
    const { days, daysComplete } = keyOverviewListSchema.parse(body);
    return { calls: days.reduce((sum, { allowed }) => sum + allowed, 0), daysComplete };
  };

  it('says if more live keys had calls this month than its days add up', async () => {
    await service.subscribe();
    for (let keys = 0; keys < KEYS_SUMMED; keys += 1) await callNewKey();
    await expect.poll(overview, PUBLISHED).toEqual({ calls: KEYS_SUMMED, daysComplete: true });
    await callNewKey();
    await expect.poll(overview, PUBLISHED).toEqual({ calls: KEYS_SUMMED, daysComplete: false });
    const { body } = await service.owner('GET', '/v1/subscription');
    expect(body.month.used).toBe(KEYS_SUMMED + 1);
  });
});
