// Refusals of checks that no other end-to-end test meets.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../schemas/base/time.ts';
import { LIMITER_KEY_BYTES, limiterKeyFrom } from '../../../schemas/limiter/keys.ts';
import { LimiterService } from '../e2e/limits/limiter-service.fixture.ts';
import { expectRefused } from './refused.fixture.ts';

const UNKNOWN_PER_MINUTE = 3;
const CHECK = { namespace: 'test', identifier: 'a', limit: 10, window: DAY_MS };

describe('checks are refused', () => {
  let service: LimiterService;
  let key: string;
  let keyId: string;
  beforeAll(async () => {
    const limits = {
      limiter: { windows: 1 },
      http: { managementPerMinute: 100_000, unauthorizedPerMinute: UNKNOWN_PER_MINUTE },
    };
    service = await LimiterService.start({ limits });
    ({ key, keyId } = await service.newKey('test'));
  });
  afterAll(() => service.dispose());

  it('under an idempotency key of another check', async () => {
    const check = (cost: number) =>
      service.send('POST', '/v1/check', {
        json: { ...CHECK, cost },
        headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'one' },
      });
    await check(1);
    expectRefused(await check(2), 'idempotency_conflict', 'header.Idempotency-Key');
  });

  it('for the usage of a time that has not begun', async () => {
    const span = 'from=2099-01-01T00:00:00.000Z';
    const refused = await service.owner('GET', `/v1/keys/${keyId}/usage?${span}`);
    expectRefused(refused, 'bad_request', 'query.from');
  });

  it('in a window too many', async () => {
    expect((await service.check(key, CHECK)).status).toBe(200);
    const refused = await service.check(key, { ...CHECK, identifier: 'b' });
    expectRefused(refused, 'limit_reached', 'organization.windows');
  });

  it('in the same window twice', async () => {
    const json = { checks: [CHECK, { ...CHECK, limit: 11 }] };
    const headers = { Authorization: `Bearer ${key}` };
    expectRefused(
      await service.send('POST', '/v1/checks', { json, headers }),
      'bad_request',
      'body.checks[1]',
    );
  });

  it('with more unknown keys than an address may try', async () => {
    const tried = Array.from({ length: UNKNOWN_PER_MINUTE + 1 }, () =>
      limiterKeyFrom('test', randomBytes(LIMITER_KEY_BYTES)),
    );
    const answers = [];
    for (const unknown of tried) answers.push(await service.check(unknown));
    expectRefused(answers[0]!, 'unauthorized', 'header.Authorization');
    expectRefused(answers.at(-1)!, 'rate_limited', 'request.rate');
  });
});
