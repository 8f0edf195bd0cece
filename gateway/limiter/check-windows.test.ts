import { describe, expect, it } from 'vitest';
import { check, refusal, serveChecks } from '../../infra/testing/check-gateway.fixture.ts';

serveChecks({ windows: 2 });

describe('POST /v1/check, when the organization has all the windows that it may have', () => {
  it('answers 429 to a call that needs another one, names the number, and still counts in the others', async () => {
    for (const identifier of ['a', 'b']) await check({ json: { identifier } });
    const refused = await check({ json: { identifier: 'c' } });
    expect(refusal(refused)).toEqual([429, 'limit_reached']);
    expect(refused.body.error.message).toContain('2 windows that have not ended');
    expect(refused.body.error.message).not.toContain('"c"');
    // Windows of a minute that began ten seconds after noon count until the second minute is over.
    expect(refused.headers).toMatchObject({ 'retry-after': '110', ratelimit: '"minute";r=998;t=50' });
    expect((await check({ json: { identifier: 'a' } })).body.data).toMatchObject({ remaining: 3 });
  });
});
