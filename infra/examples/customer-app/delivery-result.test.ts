import { describe, expect, it } from 'vitest';
import { deliveryResult } from './delivery-result.ts';
import type { ServiceAnswer } from './service-client.ts';

const answer = (
  status: number,
  code: string | null = null,
  retryAfterMs: number | null = null,
): ServiceAnswer => ({
  status,
  code,
  retryAfterMs,
  body: null,
});

describe('deliveryResult', () => {
  it.each<[string, ServiceAnswer | null, string]>([
    ['an accepted event', answer(200), 'delivered'],
    ['no answer', null, 'again'],
    ['a service that cannot', answer(503, 'unavailable'), 'again'],
    ['a service that failed', answer(500, 'internal_error'), 'again'],
    ['too many requests', answer(429, 'rate_limited'), 'again'],
    ['a limit', answer(429, 'limit_reached'), 'when-reset'],
    ['a bad request', answer(400, 'bad_request'), 'set-aside'],
    ['a key that was used for something else', answer(409, 'idempotency_conflict'), 'set-aside'],
    ['something that has ended', answer(410, 'expired'), 'set-aside'],
    ['a missing claim', answer(403, 'claim_required'), 'parked'],
    ['a credential that does not hold', answer(401, 'unauthorized'), 'parked'],
    ['a checklist that is not there', answer(404, 'not_found'), 'parked'],
  ])('returns the result of %s', (_name, given, kind) => {
    expect(deliveryResult(given, 0, 0).kind).toBe(kind);
  });

  it('waits longer from time to time, up to five minutes, and never all for the same time', () => {
    const pause = (attempts: number, random: number): number => {
      const result = deliveryResult(null, attempts, random);
      return result.kind === 'again' ? result.afterMs : Number.NaN;
    };
    expect([0, 1, 2, 3].map((attempts) => pause(attempts, 0))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(pause(1_000, 0)).toBe(300_000);
    expect(pause(0, 1)).toBe(250);
  });

  it('looks again within the hour while the workspace is paused, however often it has looked', () => {
    const paused = answer(403, 'workspace_paused');
    expect([0, 1_000].map((attempts) => deliveryResult(paused, attempts, 0))).toEqual([
      { kind: 'again', afterMs: 3_600_000, reason: '403 workspace_paused' },
      { kind: 'again', afterMs: 3_600_000, reason: '403 workspace_paused' },
    ]);
    expect(deliveryResult(paused, 0, 1)).toMatchObject({ afterMs: 1_800_000 });
  });

  it('waits as long as the service asks for', () => {
    expect(deliveryResult(answer(503, 'unavailable', 30_000), 0, 1)).toMatchObject({
      kind: 'again',
      afterMs: 30_000,
    });
  });
});
