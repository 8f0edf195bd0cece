import { afterEach, beforeEach, expect, vi } from 'vitest';
import {
  bytesOf,
  LIMITS,
  ORGANIZATION,
  type RunningGateway,
  startGateway,
  type TestAnswer,
} from '../../gateway/http/gateway.fixture.ts';
import { Checker } from '../../gateway/limiter/checker.ts';
import { limiterRoutes } from '../../gateway/limiter/routes.ts';
import { errorEnvelopeSchema } from '../../schemas/base/errors.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { type KeyMode, limiterKeyDigest, limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { KeyStatus } from '../../topics/ports/limiter.ts';
import { EmbeddedEngineFixture } from '../engines/embedded/embedded-engine.fixture.ts';

/** Unknown keys of one address that are looked up in a minute. */
export const UNKNOWN_PER_MINUTE = 10;

export const KEYS = {
  test: limiterKeyFrom('test', bytesOf('test')),
  live: limiterKeyFrom('live', bytesOf('live')),
};
export const CHECK = { namespace: 'api', identifier: 'user-1', limit: 5, window: 60_000 };

/** The content of the durable state, and the number of reads of it. */
export const state = {
  status: 'active' as KeyStatus | null,
  version: 1,
  monthUse: 0,
  lookups: 0,
  statusReads: 0,
};

export let engine: EmbeddedEngineFixture;
export let gateway: RunningGateway;

/** Serves the limiter's routes on a new engine for each test of the file that calls this. */
export function serveChecks(limits: Partial<Limits['limiter']> = {}): void {
  beforeEach(async () => {
    Object.assign(state, { status: 'active', version: 1, monthUse: 0, lookups: 0, statusReads: 0 });
    engine = await EmbeddedEngineFixture.open();
    // Far from the ends of a minute and a month, so that no test runs over one.
    engine.clock.advance(Date.UTC(2027, 0, 15, 12, 0, 10) - engine.clock.now());
    const ofLimiter = { ...DEFAULT_LIMITS.limiter, ...limits };
    const checker = new Checker({
      limiter: engine.limiter,
      digestIndex: {
        get: async ({ digest }) => {
          state.lookups += 1;
          const mode = (['test', 'live'] as const).find((each) => limiterKeyDigest(KEYS[each]) === digest);
          return mode === undefined ? null : { organizationId: ORGANIZATION, keyId: keyIdOf(mode), mode };
        },
      },
      sources: {
        readStatus: async () => {
          state.statusReads += 1;
          return state.status === null ? null : { status: state.status, version: state.version };
        },
        readMonthUse: async () => state.monthUse,
      },
      limits: ofLimiter,
      unknownPerMinute: UNKNOWN_PER_MINUTE,
    });
    const http = { ...LIMITS.http, configurationBytes: DEFAULT_LIMITS.http.configurationBytes };
    gateway = await startGateway(limiterRoutes, { checker, limits: { ...LIMITS, http } });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await gateway.close();
    await engine.close();
  });
}

export const keyIdOf = (mode: KeyMode) => idFrom('key', bytesOf(mode));

interface Sent {
  readonly body?: string | Uint8Array;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** Sends a check with the live key, unless the headers say something else. */
export async function check({ body, json, headers }: Sent = {}): Promise<TestAnswer> {
  return await post('/v1/check', body ?? JSON.stringify({ ...CHECK, ...json }), headers);
}

/** Sends a check of several limits, each like {@link CHECK} but for what it says itself. */
export async function checkSeveral(
  entries: readonly object[],
  headers: Sent['headers'] = {},
): Promise<TestAnswer> {
  const checks = entries.map((entry) => ({ ...CHECK, ...entry }));
  return await post('/v1/checks', JSON.stringify({ checks }), headers);
}

/** Sends independent checks, each like {@link CHECK} but for what it says itself. */
export async function checkEach(
  entries: readonly object[],
  headers: Sent['headers'] = {},
): Promise<TestAnswer> {
  const checks = entries.map((entry) => ({ ...CHECK, ...entry }));
  return await post('/v1/checks/each', JSON.stringify({ checks }), headers);
}

/** Sends a request with the live key, unless the headers say something else. */
export async function post(
  path: string,
  body: string | Uint8Array,
  headers: Sent['headers'] = {},
): Promise<TestAnswer> {
  return await gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEYS.live}`, 'content-type': 'application/json', ...headers },
    body,
  });
}

/** Status and code of a refusal, which is checked to be the envelope and nothing else. */
export function refusal(answer: TestAnswer): [number, string] {
  const { error } = errorEnvelopeSchema.parse(answer.body);
  expect(error.request_id).toBe(answer.headers['x-request-id']);
  return [answer.status, error.code];
}

/** The used part of the window. The call itself uses none. */
export async function used(json: object = {}): Promise<number> {
  const { body } = await check({ json: { ...json, cost: 0 } });
  return body.data.limit - body.data.remaining;
}
