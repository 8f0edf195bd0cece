import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnsweredRequest } from '../../../topics/ports/meter.ts';
import { type RunningGateway, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';

const TOKEN = 'a-token-of-more-than-thirty-two-characters';
/** It is JSON, as the client of these tests reads every answer. */
const TEXT = '"svc_metric 1"';
const METRICS = { token: TOKEN, read: async () => TEXT };
const FOREIGN = { host: 'svc.example' };

describe('GET /metrics', () => {
  let gateway: RunningGateway;
  const answered: AnsweredRequest[] = [];
  beforeAll(async () => {
    gateway = await startGateway(TEST_ROUTES, {
      metrics: METRICS,
      meter: { answered: (request) => void answered.push(request) },
    });
  });
  afterAll(() => gateway.close());

  it.each([
    ['of this machine with the token', { authorization: `Bearer ${TOKEN}` }],
    ['with the token', { ...FOREIGN, authorization: `Bearer ${TOKEN}` }],
    [
      'with the token through a proxy',
      { 'x-forwarded-for': '203.0.113.1', authorization: `bearer ${TOKEN}` },
    ],
  ])('answers a caller %s', async (_, headers) => {
    const { status, headers: sent, text } = await gateway.send({ path: '/metrics', headers });
    expect({ status, text }).toEqual({ status: 200, text: TEXT });
    expect(sent).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['of this machine without the token', {}],
    ['of this machine with a wrong token', { authorization: `Bearer ${TOKEN}x` }],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.1' }],
    ['through a proxy that names itself only', { via: '1.1 proxy' }],
    ['by the name of another host', FOREIGN],
    ['with a wrong token', { ...FOREIGN, authorization: `Bearer ${TOKEN}x` }],
    ['with another scheme', { ...FOREIGN, authorization: `Basic ${TOKEN}` }],
  ])('answers like an unknown path to a caller %s', async (_, headers) => {
    const seen = await gateway.send({ path: '/metrics', headers });
    const unknown = await gateway.send({ path: '/unknown', headers });
    const { error } = unknown.body;
    expect(seen.status).toBe(404);
    expect(seen.body.error).toEqual({ ...error, request_id: seen.body.error.request_id });
    expect(Object.keys(seen.headers)).toEqual(Object.keys(unknown.headers));
  });

  it('is an unknown path to other methods', async () => {
    expect((await gateway.send({ method: 'POST', path: '/metrics' })).status).toBe(404);
  });

  it('counts requests by route, status and error', async () => {
    answered.length = 0;
    await gateway.send({ path: '/livez' });
    await gateway.send({ path: '/unknown' });
    expect(answered).toEqual([
      {
        route: expect.objectContaining({ method: 'GET', path: '/livez' }),
        status: 200,
        code: null,
        ms: expect.any(Number),
      },
      { route: null, status: 404, code: 'not_found', ms: expect.any(Number) },
    ]);
  });
});

it('a gateway without a token answers only this machine', async () => {
  const gateway = await startGateway(TEST_ROUTES, { metrics: { ...METRICS, token: null } });
  const headers = { ...FOREIGN, authorization: 'Bearer ' };
  expect((await gateway.send({ path: '/metrics', headers })).status).toBe(404);
  expect((await gateway.send({ path: '/metrics' })).status).toBe(200);
  await gateway.close();
});
