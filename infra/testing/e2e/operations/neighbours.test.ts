import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { DAY_MS } from '../../../../schemas/base/time.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer, configuration, subjectOf } from '../checklists/checklists-customer.fixture.ts';
import { accepted, cookieOf, exchange, OWNER, type Received } from '../customer.fixture.ts';
import { ImportsCustomer, mapping } from '../imports/imports-customer.fixture.ts';
import { pipelined, written } from './pipelined.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'code', target: 'code' }];
const ROWS = 1_000;
const FILE = Buffer.from(`code\n${Array.from({ length: ROWS }, (_, row) => `row ${row}\n`).join('')}`);

const PREVIEWS = 40;
/** An address of a scene: what one scene uses up is not missing in another. */
const addressOf = (scene: number, nth = 0) => `198.51.${scene}.${nth % 5}`;
const NEIGHBOUR = '203.0.113.1';

/** Times that the neighbour uses the service beside each attack, at least and at most. */
const USES = { least: 5, most: 100 };

let service: ServiceProcess;
let imports: ImportsCustomer<ServiceProcess>;
let checklists: ChecklistsCustomer<ServiceProcess>;
/** The neighbour's key, and the attacker's. */
let liveKey: string;
let testKey: string;

beforeAll(async () => {
  const limits = { workspace: { createdPerAddressHour: PREVIEWS } };
  const environment = { TRUSTED_PROXIES: '127.0.0.0/8', SVC_WORKER_THREADS: '1' };
  service = await ServiceProcess.start({ limits, environment });
  imports = await ImportsCustomer.of(service, FIELDS);
  await imports.claim(FILE, COLUMNS);
  checklists = await ChecklistsCustomer.beside(imports, ['one']);
  await checklists.event('first', 'one');
  await checklists.claim();
  liveKey = await keyOf(imports.cookie, 'live');
  const json = { ...OWNER, email: 'mallory@example.com' };
  const signUp = accepted(`${service.url}/v1/console/sign-up`, 'POST', { json, origin: service.url });
  testKey = await keyOf(cookieOf(await signUp), 'test');
}, 120_000);

afterAll(() => service.dispose());

async function keyOf(cookie: string, mode: 'test' | 'live'): Promise<string> {
  const of = { cookie, origin: service.url };
  if (mode === 'live')
    await accepted(`${service.url}/v1/subscription`, 'POST', { ...of, json: { plan: 'free' } });
  const json = { idempotencyKey: mode, product: 'limiter', mode, name: 'Backend' };
  return (await accepted(`${service.url}/v1/keys`, 'POST', { ...of, json })).body.key;
}

interface Preview {
  readonly installationId: string;
  readonly credential: string;
}

/** A preview whose creator has this address. */
async function previewOf(address: string, products: readonly string[]): Promise<Preview> {
  const parts = {
    json: { name: 'Many', cohort: 'external', products },
    headers: { 'X-Forwarded-For': address },
  };
  return (await accepted(`${service.url}/v1/agent/workspaces`, 'POST', parts)).body;
}

const many = (count: number, request: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => request(nth));

const signIn = (address: string, nth: number) =>
  written(`${service.url}/v1/console/sign-in`, {
    origin: service.url,
    address,
    json: { email: `${nth}@example.com`, password: 'a wrong password' },
  });

/** Validates a file of a preview as often as it may. */
async function validateAgain(nth: number): Promise<Map<number, number>> {
  const { installationId, credential: bearer } = await previewOf(addressOf(6, nth), ['svcimport']);
  const send = (path: string, json: object) =>
    exchange(`${service.url}/v1/installations/${installationId}/svcimport${path}`, 'POST', { bearer, json });
  const { body: made } = await send('/schemas', imports.configuration(1, FIELDS));
  const reservation = {
    ...{ version: 'svcimport.upload.v1', idempotencyKey: 'file', revision: 1 },
    ...{ byteLength: FILE.length, sha256: sha256Hex(FILE) },
  };
  const { body: reserved } = await send(`/schemas/${made.schemaId}/imports`, reservation);
  await imports.upload(reserved, [FILE]);
  await send(`/imports/${reserved.importId}/mapping`, mapping(1, COLUMNS));
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < 5; turn += 1) {
    const json = { version: 'svcimport.validate.v1', idempotencyKey: `${turn}` };
    const { status } = await send(`/imports/${reserved.importId}/validate`, json);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

interface Scene {
  /** The shared bound, by its name in infra/docs/bounds.md. */
  readonly bound: string;
  readonly means: string;
  /** Returns the answers of the attacker by status. */
  attack(): Promise<ReadonlyMap<number, number>>;
  /** Uses the service once as the neighbour. */
  use(nth: number): Promise<Received>;
  readonly expected: object;
  /** Statuses that the attacker meets among others. */
  readonly meets: readonly number[];
  /** The most uses, if the neighbour's plan allows fewer. */
  readonly most?: number;
}

let checked = 0;
const check = () => {
  const json = { namespace: 'n', identifier: 'neighbour', limit: 1_000_000, window: DAY_MS };
  return exchange(`${service.url}/v1/check`, 'POST', { bearer: liveKey, json });
};
const checkedOnce = async () => {
  const answer = await check();
  checked += 1;
  return { ...answer, body: { left: answer.body.data.remaining + checked } };
};
/** Each check of the neighbour counts once. */
const RIGHT_CHECK = { status: 200, body: { left: 1_000_000 } };

const SCENES: readonly Scene[] = [
  {
    bound: 'ENTRIES_UNDER_WAY_MAX',
    means: 'a test key far beyond its quota',
    attack: () => {
      const entry = (nth: number) => ({ namespace: 'a', identifier: `${nth}`, limit: 5, window: 60_000 });
      const json = { checks: many(10, String).map((_, nth) => entry(nth)) };
      return pipelined(
        service.url,
        many(1_000, () =>
          written(`${service.url}/v1/checks`, { bearer: testKey, address: addressOf(1), json }),
        ),
      );
    },
    use: checkedOnce,
    expected: RIGHT_CHECK,
    meets: [429],
  },
  {
    bound: 'IN_FLIGHT_MAX',
    means: 'a preview that sends 4,000 events at once',
    attack: async () => {
      const { installationId, credential: bearer } = await previewOf(addressOf(2), ['svcactivate']);
      const path = `/v1/installations/${installationId}/svcactivate/checklists`;
      const created = {
        schemaVersion: '2026-09-07',
        idempotencyKey: 'c',
        configuration: configuration(['one']),
      };
      const { body } = await accepted(`${service.url}${path}`, 'POST', { bearer, json: created });
      const event = (nth: number) => ({
        ...{ schemaVersion: '2026-09-07', idempotencyKey: `event ${nth}`, cohort: 'test', eventKey: 'one' },
        subjectDigest: subjectOf(`user ${nth}`),
      });
      const to = `${service.url}${path}/${body.checklistId}/events`;
      return await pipelined(
        service.url,
        many(4_000, (nth) => written(to, { bearer, address: addressOf(2), json: event(nth) })),
      );
    },
    use: (nth) => checklists.eventOnce(`user ${nth}`, 'one'),
    expected: { status: 200 },
    meets: [429],
  },
  {
    bound: 'HASHES_WAITING_MAX',
    means: 'five addresses with 60 sign-ins each',
    attack: () =>
      pipelined(
        service.url,
        many(300, (nth) => signIn(addressOf(3, nth), nth)),
        30,
      ),
    use: () => {
      const json = { email: OWNER.email, password: OWNER.password };
      const headers = { 'X-Forwarded-For': NEIGHBOUR };
      return exchange(`${service.url}/v1/console/sign-in`, 'POST', { json, headers, origin: service.url });
    },
    expected: { status: 200 },
    meets: [429],
  },
  {
    bound: 'QUEUED_WRITES_MAX',
    means: 'an address with 12,000 sign-ins',
    attack: () =>
      pipelined(
        service.url,
        many(12_000, (nth) => signIn(addressOf(4), nth)),
        60,
      ),
    use: (nth) => checklists.eventOnce(`another user ${nth}`, 'one'),
    expected: { status: 200 },
    meets: [429],
  },
  {
    bound: 'ADDRESSES_MAX',
    means: 'an address with 3,000 unknown keys',
    attack: () => {
      const json = { namespace: 'n', identifier: 'i', limit: 5, window: 60_000 };
      const unknown = (nth: number) => `${testKey.slice(0, -4)}${String(nth).padStart(4, '0')}`;
      return pipelined(
        service.url,
        many(3_000, (nth) =>
          written(`${service.url}/v1/check`, { bearer: unknown(nth), address: addressOf(5), json }),
        ),
      );
    },
    use: checkedOnce,
    expected: RIGHT_CHECK,
    meets: [401, 429],
  },
  {
    bound: 'PARTITIONS_AT_ONCE',
    means: `${PREVIEWS} previews of five addresses that validate a file again and again`,
    attack: async () => {
      const all = await Promise.all(many(PREVIEWS, String).map((_, nth) => validateAgain(nth)));
      return new Map(all.flatMap((statuses) => [...statuses]));
    },
    use: async () => {
      const body = await imports.validated(await imports.uploaded(FILE, COLUMNS));
      return { status: 200, headers: new Headers(), body };
    },
    expected: { status: 200, body: { status: 'ready', rows: { total: ROWS, valid: ROWS } } },
    meets: [202],
    most: USES.least,
  },
];

describe.each(SCENES)('$bound, filled by $means', ({ attack, use, expected, meets, most = USES.most }) => {
  it('leaves the neighbour the right answers, and gives no caller a 5xx', { timeout: 150_000 }, async () => {
    let isOver = false;
    const attacked = attack().finally(() => {
      isOver = true;
    });
    attacked.catch(() => {});
    const seen: Received[] = [];
    for (let nth = 0; nth < USES.least || (!isOver && nth < most); nth += 1) seen.push(await use(nth));
    for (const answer of seen) expect(answer).toMatchObject(expected);
    const statuses = [...(await attacked).keys()];
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining([...meets]));
  });
});
