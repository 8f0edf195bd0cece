import { createGateway } from '../../../../gateway/http/app.ts';
import { NO_CALLERS } from '../../../../gateway/http/gateway.fixture.ts';
import { createLogger } from '../../../../gateway/http/server/logging.ts';
import { listen } from '../../../../gateway/http/server/server.ts';
import { Checker } from '../../../../gateway/limiter/checker.ts';
import { limiterPrincipal } from '../../../../gateway/limiter/limiter-principal.ts';
import { limiterRoutes } from '../../../../gateway/limiter/routes.ts';
import type { GatewayServices } from '../../../../gateway/services.ts';
import { limiterKeyDigest } from '../../../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Limiter } from '../../../../topics/ports/limiter.ts';
import { RedisLimiter } from '../../../engines/redis/limiter.ts';
import { openEngine } from '../../../service/engine/engine.ts';
import { PooledEntropy } from '../../../service/entropy.ts';
import { keepRequestsYoung } from '../../../service/gc-flags.ts';
import { type Metering, openMetering } from '../../../service/metrics/metering.ts';
import { readSettings } from '../../../service/settings/settings.ts';
import { ACCOUNT, KEY, KEY_ID, QUOTA } from './scene.ts';

/** A test key of an account. */
export interface ServedKey {
  readonly key: string;
  readonly organizationId: string;
  readonly keyId: string;
}

const THE_KEY: ServedKey = { key: KEY, organizationId: ACCOUNT, keyId: KEY_ID };

/**
 * The real gateway and limiter, with its log and its metrics; only the durable state behind them is a table of one key.
 *
 * @param place the address of Redis, or a folder for the embedded engine
 */
export async function serveOurs(place: string): Promise<number> {
  return await serveKeys(place, [THE_KEY], QUOTA.minute);
}

/** The same with other keys, each with a number of calls in a minute. */
export async function serveKeys(place: string, keys: readonly ServedKey[], perMinute: number) {
  return await serve(place, openMetering({ token: null }), keys, perMinute);
}

/** The same without metrics, which shows what they cost. */
export async function serveOursUnmetered(place: string): Promise<number> {
  return await serve(place, undefined, [THE_KEY], QUOTA.minute);
}

async function serve(
  place: string,
  metering: Metering | undefined,
  keys: readonly ServedKey[],
  testPerMinute: number,
): Promise<number> {
  keepRequestsYoung();
  const { limiter } = await openLimiter(place);
  const base = 'http://127.0.0.1:8787';
  const testPerMonth = QUOTA.month ?? 0;
  const limits = {
    ...DEFAULT_LIMITS,
    limiter: { ...DEFAULT_LIMITS.limiter, testPerMinute, testPerMonth },
  };
  const byDigest = new Map(keys.map(({ key, ...of }) => [limiterKeyDigest(key), { ...of, mode: 'test' }]));
  const digestIndex = {
    get: async ({ digest }: { digest: string }) => byDigest.get(digest) ?? null,
  };
  const sources = {
    readStatus: async () => ({ status: 'active', version: 1 }) as const,
    readMonthUse: async () => 0,
  };
  const checker = new Checker({
    limiter,
    digestIndex,
    sources,
    limits: limits.limiter,
    unknownPerMinute: 30,
    meter: metering?.meter,
  });
  const nobody = async () => null;
  const gateway = createGateway({
    routes: limiterRoutes,
    services: {
      checker,
      limits,
      hosts: { base, limiter: base, ingest: base, console: base, dashboard: base },
      clock: { now: () => Date.now() },
      entropy: new PooledEntropy(),
      secrets: { secret: 'of the benchmark', previous: null, identity: 'of the benchmark' },
    } satisfies Partial<GatewayServices> as unknown as GatewayServices,
    authenticators: { ...NO_CALLERS, limiter: limiterPrincipal },
    findWorkspace: nobody,
    health: { unready: async () => null },
    logger: createLogger({ level: 'info' }),
    trustedProxies: [],
    meter: metering?.meter,
    overloadMeter: metering?.meter,
    metrics: metering,
  });
  return (await listen(gateway, { host: '127.0.0.1', port: 0 })).port;
}

/** Opens the limiter on Redis, or that of the embedded engine where the place is a folder. */
export async function openLimiter(place: string): Promise<{ limiter: Limiter; close(): Promise<void> }> {
  if (place.startsWith('redis:')) {
    const limiter = await RedisLimiter.open({ url: place, prefix: 'ours:' });
    return { limiter, close: () => limiter.close() };
  }
  const { engine } = await openEngine(
    {
      settings: readSettings({ SVC_DATA_FOLDER: place }),
      clock: { now: () => Date.now() },
      logger: createLogger({ level: 'warn' }),
      onFatal: (error) => {
        throw error;
      },
    },
    new PooledEntropy(),
  );
  return { limiter: engine.limiter, close: () => engine.close() };
}
