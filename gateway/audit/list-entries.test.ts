import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import { auditEntryId, auditLogId, type EntryDocument } from '../../schemas/audit/documents.ts';
import { type AuditEntry, auditListSchema } from '../../schemas/audit/http.ts';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom, installationOf, requestIdFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DAY_MS, isoTime } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { OrganizationDocument, Role } from '../../schemas/organizations/documents.ts';
import type { AggregateRef, Row } from '../../topics/ports/store.ts';
import type { Authenticators } from '../http/callers/bearer.ts';
import { bytesOf, HOSTS, NO_CALLERS, type RunningGateway, startGateway } from '../http/gateway.fixture.ts';
import { principal } from '../principals.ts';
import type { GatewayServices, Sending, UntypedCommand } from '../services.ts';
import { auditRoutes } from './routes.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const CREATED = Date.UTC(2024, 0, 15);
const ours = idFrom('organization', bytesOf('ours'));
const theirs = idFrom('organization', bytesOf('theirs'));
const ada = idFrom('user', bytesOf('ada'));
const bob = idFrom('user', bytesOf('bob'));
const workspaceId = idFrom('workspace', bytesOf('workspace'));

let engine: EmbeddedEngineFixture;
const recorded: (UntypedCommand & Sending)[] = [];
let running: RunningGateway;
let lists = 0;
/** The entries of our log, newest first. */
const written: AuditEntry[] = [];

beforeAll(async () => {
  engine = await EmbeddedEngineFixture.open();
  for (const organizationId of [ours, theirs]) await makeOrganization(organizationId);
  await writeLog(theirs, [entry(NOW, { detail: { marker: 'theirs' } })]);
  // Two busy months with many empty ones between them, and a hundred entries of one moment.
  const old = times(30, CREATED, DAY_MS / 4);
  const recent = times(130, NOW - 10 * DAY_MS, DAY_MS / 24);
  const crowd = times(100, NOW - DAY_MS, 0);
  const documents = [...old, ...recent, ...crowd].map((at, number) =>
    entry(at, {
      actor: { kind: 'user', id: number % 3 === 0 ? bob : ada },
      action: number % 2 === 0 ? 'imports.approve-import' : 'organizations.attach',
      target: number % 5 === 0 ? `${installationOf(workspaceId)}/import/${number}` : ours,
      detail: number % 7 === 0 ? { workspaceId } : {},
    }),
  );
  await writeLog(ours, documents);
  const { store, counters } = engine;
  const counting: GatewayServices['store'] = {
    read: (aggregate, rows) => store.read(aggregate, rows),
    list: (aggregate, kind, options) => {
      lists += 1;
      return store.list(aggregate, kind, options);
    },
  };
  running = await startGateway(auditRoutes, {
    authenticators: AUTHENTICATORS,
    services: {
      store: counting,
      counters,
      clock: { now: () => NOW },
      entropy: { bytes: (count: number) => new Uint8Array(count) },
      limits: { ...DEFAULT_LIMITS, http: { ...DEFAULT_LIMITS.http, managementPerMinute: 10_000 } },
      hosts: HOSTS,
      submit: (async (command: UntypedCommand & Sending) => {
        recorded.push(command);
        return {};
      }) as unknown as GatewayServices['submit'],
      secrets: { secret: 'secret', previous: null, identity: 'identity' },
    } satisfies Partial<GatewayServices> as unknown as GatewayServices,
  });
});

afterAll(async () => {
  await running.close();
  await engine.close();
});

describe('GET /v1/console/audit', () => {
  it('returns pages, newest first, across months', async () => {
    const { entries, pages } = await readAll('limit=50');
    expect(entries).toEqual(written);
    expect(pages).toBeGreaterThan(5);
  });

  it('reads a bounded number of times for a page', async () => {
    lists = 0;
    const empty = await read(`from=${isoTime(CREATED)}&to=2025-12-01T00:00:00Z`);
    expect([empty.entries, lists]).toEqual([[], 12]);
    expect(empty.nextCursor).not.toBeNull();
    const { entries } = await readAll('to=2025-12-01T00:00:00Z');
    expect(entries).toEqual(written.filter(({ at }) => at < '2025'));
  });

  it.each([
    ['actor', `actor=${bob}`, (one: AuditEntry) => one.actor.id === bob],
    ['action', 'action=organizations.attach', (one: AuditEntry) => one.action === 'organizations.attach'],
    [
      'workspace',
      `workspaceId=${workspaceId}`,
      ({ target, detail }: AuditEntry) => target !== ours || detail['workspaceId'] === workspaceId,
    ],
  ])('filters by %s', async (_what, query, fits) => {
    const { entries } = await readAll(`${query}&limit=20`);
    expect(entries).toEqual(written.filter(fits));
    expect(entries.length).toBeGreaterThan(20);
  });

  it('returns entries from from on and before to', async () => {
    const [newer, older] = [written[150], written[180]];
    const { entries } = await readAll(`from=${older?.at}&to=${newer?.at}&limit=7`);
    expect(entries).toEqual(written.filter(({ at }) => at >= String(older?.at) && at < String(newer?.at)));
    expect(entries).toHaveLength(30);
  });

  it('returns no entries if to is before 1970', async () => {
    const page = await read('to=1700-12-31T00:00:00Z');
    expect(page).toEqual({ entries: [], nextCursor: null });
  });

  it('reads no months after the newest possible entry', async () => {
    lists = 0;
    const page = await read('cursor=999999999999999&limit=100');
    expect(page.entries).toEqual(written.slice(0, 100));
    expect(lists).toBeLessThan(4);
  });

  it('returns entries only to owners and admins', async () => {
    const statuses = await Promise.all(
      ['owner', 'admin', 'member', 'nobody'].map(async (who) => (await ask('', `${ours}:${who}`)).status),
    );
    expect(statuses).toEqual([200, 200, 403, 401]);
  });

  it('returns only entries of the organization', async () => {
    const answer = auditListSchema.parse(await (await ask('', `${theirs}:owner`)).json());
    expect(answer.entries.map(({ detail }) => detail)).toEqual([{ marker: 'theirs' }]);
    expect(JSON.stringify(await readAll('limit=100'))).not.toContain('theirs');
  });

  it.each([
    'limit=0',
    'limit=101',
    'cursor=1',
    'actor=ada',
    'action=everything',
    'workspaceId=1',
    'from=yesterday',
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'colour=red',
  ])('returns 400 for %s', async (query) => {
    expect((await ask(query)).status).toBe(400);
  });
});

describe('GET /v1/console/audit as CSV', () => {
  const asked = { Accept: 'text/csv' };

  it('returns the same page as a file, with a link to the next page', async () => {
    const answer = await ask('limit=2', undefined, asked);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toBe('at,actor_kind,actor_id,action,target,request_id,detail');
    expect(lines.slice(1, 3).map((line) => line.split(',')[5])).toEqual(
      written.slice(0, 2).map(({ requestId }) => requestId),
    );
    const next = /^<\/v1\/console\/audit\?(.+)>; rel="next"$/.exec(String(answer.headers.get('link')))?.[1];
    expect((await read(String(next))).entries).toEqual(written.slice(2, 4));
  });

  it('records the export before its answer, and records no JSON page', async () => {
    recorded.length = 0;
    await ask('limit=2');
    expect(recorded).toEqual([]);
    const answer = await ask('limit=2', undefined, asked);
    expect(recorded).toMatchObject([
      {
        topic: 'audit',
        type: 'record',
        input: { action: 'audit.export', requestId: answer.headers.get('x-request-id') },
      },
    ]);
  });

  it('keeps the filters in its links, and links no page after the last', async () => {
    const to = isoTime(CREATED + DAY_MS);
    const answer = await ask(`actor=${bob}&from=${isoTime(CREATED)}&to=${to}&limit=1`, undefined, asked);
    const link = String(answer.headers.get('link'));
    expect(link).toContain(`actor=${bob}`);
    expect(link).toContain(encodeURIComponent(to));
    expect((await ask(`to=${to}&limit=100`, undefined, asked)).headers.get('link')).toBeNull();
  });

  it('returns no cell that a spreadsheet runs', async () => {
    const hostile = entry(NOW, { target: '=HYPERLINK("https://evil.example")', detail: { role: '=1' } });
    const organizationId = idFrom('organization', bytesOf('hostile'));
    await makeOrganization(organizationId);
    await writeLog(organizationId, [hostile]);
    const text = await (await ask('', `${organizationId}:owner`, asked)).text();
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(text).not.toMatch(/(^|,)"?[=+\-@]/m);
  });

  it.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv;q=0, */*', 'application/json'],
    ['application/json;q=0.5, Text/CSV', 'text/csv'],
  ])('chooses the content type by Accept: %s', async (accept, type) => {
    const answer = await ask('limit=1', undefined, { Accept: accept });
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });
});

/** `<organization>:<role>` in the cookie says who calls. */
const AUTHENTICATORS: Authenticators = {
  ...NO_CALLERS,
  console: async ({ headers }) => {
    const [organizationId = '', role] = (headers.cookie ?? '').split(':');
    if (role === 'nobody') return null;
    return principal('console', {
      id: ada,
      personKey: 'person',
      sessionDigest: 'digest',
      organizationId,
      role: role as Role,
      operator: false,
    });
  },
};

function ask(query: string, cookie = `${ours}:owner`, headers: Record<string, string> = {}) {
  const url = `http://127.0.0.1:${running.server.port}/v1/console/audit?${query}`;
  return fetch(url, { headers: { Cookie: cookie, ...headers } });
}

async function read(query: string) {
  const answer = await ask(query);
  expect(answer.status).toBe(200);
  return auditListSchema.parse(await answer.json());
}

async function readAll(query: string) {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const page: Awaited<ReturnType<typeof read>> = await read(
      cursor === null ? query : `${query}&cursor=${cursor}`,
    );
    entries.push(...page.entries);
    cursor = page.nextCursor;
    if (cursor === null) return { entries, pages };
    expect(pages).toBeLessThan(100);
  }
}

function times(count: number, from: number, step: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index * step);
}

let entries = 0;

function entry(at: number, differing: Partial<EntryDocument>): EntryDocument {
  entries += 1;
  return {
    at,
    actor: { kind: 'user', id: ada },
    action: 'organizations.attach',
    target: null,
    requestId: requestIdFrom(bytesOf(`request ${entries}`)),
    detail: {},
    ...differing,
  };
}

async function makeOrganization(organizationId: string): Promise<void> {
  const state: OrganizationDocument = {
    name: 'Example',
    state: 'active',
    operator: false,
    createdAt: CREATED,
    members: 1,
    owners: 1,
    openInvitations: [],
  };
  await commit({ table: 'organizations', id: organizationId }, { state }, []);
}

/** Writes entries as the fold does, a month at a time. */
async function writeLog(organizationId: string, documents: readonly EntryDocument[]): Promise<void> {
  const rows = documents
    .map((document) => ({
      kind: 'entry',
      id: auditEntryId(document.at, sha256Hex(document.requestId)),
      document,
    }))
    .sort((left, right) => (left.id < right.id ? 1 : -1));
  const months = new Set(documents.map(({ at }) => auditLogId(organizationId, at)));
  for (const log of months) {
    const ofMonth = rows.filter(({ document }) => auditLogId(organizationId, document.at) === log);
    await commit({ table: 'audit', id: log }, { state: null }, ofMonth);
  }
  if (organizationId !== ours) return;
  written.push(...rows.map(({ document: { at, ...rest } }) => ({ at: isoTime(at), ...rest })));
}

async function commit(aggregate: AggregateRef, runtime: JsonObject, put: readonly Row[]): Promise<void> {
  const root = {
    version: 1,
    batchId: 'batch',
    applied: { generation: 1, offset: 1 },
    document: { ...EMPTY_ROOT, ...runtime },
  };
  expect(await engine.store.commit(aggregate, 0, { root, put, remove: [] })).toBe('applied');
}
