import { idFrom } from '../../../../schemas/base/ids.ts';
import { limiterKeyFrom } from '../../../../schemas/limiter/keys.ts';
import type { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Ask, askByFetch, Tenant } from '../../e2e/workspaces/tenants.fixture.ts';
import type { ServedKey } from '../limiter/ours.ts';
import { type Caller, NUMBER, NUMBER_DIGITS } from './protocol.ts';

/** Nine that keep their rate, and one. */
export const CALLERS = 10;

/** The keys of a gateway that has only the limiter. */
export const KEYS: readonly ServedKey[] = Array.from({ length: CALLERS }, (_, index) => {
  const bytes = new Uint8Array(32).fill(index + 1);
  return {
    key: limiterKeyFrom('test', bytes),
    organizationId: idFrom('organization', bytes),
    keyId: idFrom('key', bytes),
  };
});

/** The callers of a service, by the product that they use. */
export type Requests = Readonly<Record<'checks' | 'events', readonly Caller[]>> & {
  /** A caller without a valid credential. */
  readonly stranger: Caller;
};

/** The callers of a gateway that has only the limiter. */
export function keyCallers(): readonly Caller[] {
  return KEYS.map(({ key }, index) =>
    callerOf(index, 'checks', '/v1/check', { authorization: `Bearer ${key}` }, CHECK),
  );
}

const CHECK = { namespace: 'n', identifier: 'i', limit: 1_000_000, window: 60_000 };

/** Creates ten organizations with a preview each, and returns their requests. */
export async function tenantCallers(service: ServiceProcess): Promise<Requests> {
  const checks: Caller[] = [];
  const events: Caller[] = [];
  for (let index = 0; index < CALLERS; index += 1) {
    const recorded: Parameters<Ask>[] = [];
    let recording = false;
    const tenant = await Tenant.of(service, `tenant-${index}`, async (url, request) => {
      if (!recording) return await askByFetch(url, request);
      recorded.push([url, request]);
      return { status: 0, code: null, body: {}, retryAfter: null };
    });
    recording = true;
    await tenant.check();
    await tenant.recordEvent();
    const [check, event] = recorded;
    if (check === undefined || event === undefined) throw new Error('recording requests');
    checks.push(callerOf(index, 'checks', pathOf(check), check[1].headers, CHECK));
    const body = { ...JSON.parse(String(event[1].body)), idempotencyKey: NUMBER, subjectDigest: NUMBER };
    events.push(callerOf(index, 'events', pathOf(event), event[1].headers, body));
  }
  const unknown = { authorization: 'Bearer unknown' };
  const [first] = events;
  if (first === undefined) throw new Error('recording requests');
  // The rate of an address counts on routes of management.
  const path = first.request.split(' ', 2)[1]?.replace(/[/][^/]*[/]events$/, '') ?? '';
  return { checks, events, stranger: callerOf(CALLERS, 'stranger', path, unknown, {}) };
}

function callerOf(
  index: number,
  product: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  json: object,
): Caller {
  const body = JSON.stringify(json);
  const length = body.replaceAll(NUMBER, '0'.repeat(NUMBER_DIGITS)).length;
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    name: `${product}-${index}`,
    // Any address of 127.0.0.0/8 is this machine.
    address: `127.0.0.${index + 2}`,
    request: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`,
  };
}

function pathOf([url]: Parameters<Ask>): string {
  return new URL(url).pathname;
}
