import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { type AuditEntry, auditListSchema } from '../../../../schemas/audit/http.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { addWorkspace, FEEDBACK_MESSAGE, LIMITS } from '../borders/world.fixture.ts';
import { accepted } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';

/** In the cells of the file. */
const MARKER = 'Zq7Marker';
const FIELDS = [{ key: 'code', type: 'text', required: true, maxLength: 20 }];
const FILE = Buffer.from(`code\n${MARKER}\n${MARKER} that is too long\n`);
/** Values of customers: the audit log names each person who is answered one. */
const PRIVATE = [MARKER, FEEDBACK_MESSAGE];

/** A run needs a browser, and a dead letter a fault: `checks.test.ts` and `dead-letters.test.ts` read them. */
const ELSEWHERE = /:(runId|deadLetterId)\b/;
const QUERIES: Readonly<Record<string, string>> = {
  readWorkspaceChecklistSummary: '?revision=1&cohort=test',
  searchOrganization: `?text=${MARKER}`,
  readKeyUsage: '?from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z',
};

const BODIES: Readonly<Record<string, object>> = {
  readKeyWindow: { namespace: 'any', identifier: 'any', window: 60_000 },
};

/** An operation that reads is named so, also if it takes a body. */
const READS = /^(read|list|search|inspect|find|download|export)[A-Z]/;

/** All that a person reads, and all that says that a person reads it. */
const readings = productRoutes()
  .filter(({ principal }) => principal === 'console')
  .filter(({ method, name, recordsRead }) => method === 'GET' || READS.test(name) || recordsRead)
  .filter(({ path }) => !ELSEWHERE.test(path))
  .flatMap((route): [string, Route, string | null][] => {
    const { schema, attachment } = route.success;
    const place = `${route.method} ${route.path}`;
    const asFile: [string, Route, string][] =
      attachment === undefined ? [] : [[`${place} as ${attachment}`, route, attachment]];
    return schema === undefined ? asFile : [[place, route, null], ...asFile];
  });

let customer: ImportsCustomer;
let known: Readonly<Record<string, string>>;
let code: string;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: LIMITS });
  const importId = await customer.uploaded(FILE, [{ source: 'code', target: 'code' }]);
  await customer.validated(importId);
  const { url } = customer.service;
  const { known: others } = await addWorkspace(url, { cookie: customer.cookie, origin: url }, 'Everything');
  known = { ...others, importId };
  const preview = await accepted(`${url}/v1/agent/workspaces`, 'POST', {
    json: { name: 'Preview', cohort: 'external' },
  });
  const { credential, provisionToken } = preview.body;
  const link = await accepted(`${url}/v1/agent/workspace/claim-link`, 'POST', {
    bearer: credential,
    json: { provisionToken },
  });
  code = new URL(link.body.claimUrl).hash.slice(1);
});
afterAll(() => customer.service.dispose());

/** The request of a route, for the workspace that has what it reads. */
function requestOf({ name, path, method, body }: Route, accept: string | null): Request {
  const ids: Readonly<Record<string, string>> = {
    ...known,
    ...(path.includes(':importId') && { workspaceId: customer.workspaceId }),
  };
  const target = path.replaceAll(/:(\w+)/g, (_parameter, each: string) => ids[each] ?? '');
  const json = BODIES[name] ?? (path.includes('/claims/') ? { code } : { contains: MARKER });
  return new Request(`${customer.service.url}${target}${QUERIES[name] ?? ''}`, {
    method,
    headers: {
      cookie: customer.cookie,
      origin: customer.service.url,
      ...(accept === null ? {} : { accept }),
      ...(body.kind === 'json' ? { 'content-type': 'application/json' } : {}),
    },
    ...(body.kind === 'json' ? { body: JSON.stringify(json) } : {}),
  });
}

async function entriesOf(requestId: string): Promise<readonly AuditEntry[]> {
  const { status, body } = await customer.send('GET', `/v1/console/audit?requestId=${requestId}`, {
    cookie: customer.cookie,
  });
  expect(status).toBe(200);
  return auditListSchema.parse(body).entries;
}

describe('the audit log, once a person is answered', () => {
  it.each(readings)('names the reader of private data: %s', async (_place, route, accept) => {
    const answer = await fetch(requestOf(route, accept));
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    const { recordsRead } = route;
    const isRecorded = recordsRead !== undefined && (recordsRead.only === undefined || accept !== null);
    const actions = (await entriesOf(answer.headers.get('x-request-id') ?? '')).map(({ action }) => action);
    expect(actions).toEqual(isRecorded ? [recordsRead.action] : []);
    if (!isRecorded) expect(PRIVATE.filter((value) => text.includes(value))).toEqual([]);
  });
});
