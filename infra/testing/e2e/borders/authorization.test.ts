import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { PRINCIPALS, type PrincipalKind } from '../../../../gateway/principals.ts';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { EXAMPLES } from '../../../../schemas/base/examples.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/base/time.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { addMember, callerIds, credentialsOf, signUp } from '../../schemathesis/people.ts';
import { accepted, cookieOf } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import {
  ADMITTED,
  aligned,
  byKind,
  type Columns,
  decide,
  findForeign,
  type Ids,
  ownKind,
  statusUnder,
} from './authorization.fixture.ts';
import { addWorkspace, askOf, type Body, type Headers, LIMITS, OWNER, setUp } from './world.fixture.ts';

const routes = [...productRoutes()].sort((one, other) => lineOf(one).localeCompare(lineOf(other), 'en'));
const PREVIEW_MS = 72 * HOUR_MS;
const OTHER_PAGE = 'https://other.example';
const HOSTS = ['base', 'limiter', 'ingest', 'console'] as const;
/** The port is that of the service; only the name tells them apart. */
const nameOf = (host: string) => `${host}.example`;

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        requestBody: z
          .object({ content: z.record(z.string(), z.object({ example: z.unknown() })) })
          .optional(),
      }),
    ),
  ),
});

type Callers = Readonly<Record<PrincipalKind, Headers>>;
/** Of a caller that has nothing to do with a route. */
const NOT_ASKED = '-';
type Decisions = Map<string, Record<string, string>>;

/** The requests that need no credential. */
const OPEN = [
  /^GET \/v1\/(health|agent\/capabilities)$/,
  /^GET \/\.well-known\//,
  /^POST \/v1\/agent\/workspaces$/,
  /^GET \/v1\/feedback\/:widgetId\/loader\.v1\.js$/,
  /^GET \/v1\/console\/(sign-in|oidc\/(start|callback))$/,
  /^POST \/v1\/console\/(set-up|sign-up|sign-in|sign-out|forgot-password|password\/reset|invitations\/(inspect|accept))$/,
  // Its signature is its credential.
  /^POST \/v1\/billing\/events$/,
];
const isOfSignIn = (line: string) =>
  line.startsWith('POST /v1/console/') && OPEN.some((pattern) => pattern.test(line));
const OWNED = /:(workspaceId|installationId)\b/;
/** Ids below those of the caller. Dead letters belong to operators only; runs need a browser, and `checks.test.ts` asks for them. */
const NESTED = /:(?!workspaceId|installationId|deadLetterId|runId)\w+/g;
/** Ends a session, or did before: a repeat is no error, and the id of another person is one that has ended. */
const ENDING = 'DELETE /v1/console/sessions/:sessionId';
/** The agent learns here that its workspace was disconnected, and how to leave it. */
const AFTER_THE_END = ['GET /v1/agent/workspace', 'POST /mcp'];

// A preview's end is reached by moving the clock, which servers do not follow.
describe.skipIf(isOnCluster())('the authorization of every route', () => {
  const decisions: Decisions = new Map(routes.map((route) => [lineOf(route), {}]));

  beforeAll(async () => {
    await decideOverStates(decisions);
    await decideAtTheEnd(decisions);
    await decideByHost(decisions);
  });

  it('is the one in authorization.matrix.txt, for every caller, state and host', async () => {
    const columns = [...new Set([...decisions.values()].flatMap((row) => Object.keys(row)))];
    const rows = [...decisions].map(([line, row]) => [
      line,
      ...columns.map((column) => row[column] ?? NOT_ASKED),
    ]);
    await expect(aligned([['route', ...columns], ...rows])).toMatchFileSnapshot('authorization.matrix.txt');
  });

  // The rules that no change of the file may break.
  it.each(routes.map((route): [string, Route] => [lineOf(route), route]))(
    'keeps others out of %s',
    (line, route) => {
      const { principal } = route;
      const row = decisions.get(line) ?? {};
      const isIn = (column: string) => row[column] === ADMITTED;
      if (principal === 'none') {
        expect(OPEN.some((pattern) => pattern.test(line))).toBe(true);
        return;
      }
      // The path names a widget; its pages need nothing but their origin.
      if (principal !== 'widget') expect(Object.keys(PRINCIPALS).filter(isIn)).toEqual([principal]);
      expect([isIn('revoked'), isIn('lapsed')]).toEqual([false, false]);
      // The cookie of another page's request opens what that page cannot read.
      expect(isIn('other page')).toBe(principal === 'console' && line.startsWith('GET '));
      if (principal === 'project') expect(isIn('disconnected')).toBe(AFTER_THE_END.includes(line));
      if (OWNED.test(line)) expect([row['other owner'], isIn('erased')]).toEqual(['404', false]);
      if (line.includes(' /v1/ops/')) expect(row['other owner']).toBe('404');
      expect(row['foreign id'] ?? '').toMatch(foreignAnswer(route));
    },
  );

  // They set a password, or sign a person in, up or out.
  it.each([...decisions.keys()].filter(isOfSignIn))('takes %s from the page of the console only', (line) => {
    const row = decisions.get(line) ?? {};
    expect([row['none'], row['visitor']]).toEqual(['403', ADMITTED]);
  });
});

/** Callers of every kind while the workspace is active, then its own callers while it is paused, disconnected and erased. */
async function decideOverStates(decisions: Decisions): Promise<void> {
  const service = await ServiceInProcess.start({ limits: LIMITS });
  try {
    const { url } = service;
    const console = await setUp(service);
    const { callers: own, known } = await addWorkspace(url, console, 'Own');
    const callers = { ...own, none: {}, console } as Callers;
    const stranger = await signUp(url, 'stranger');
    const { callers: others, known: foreign } = await addWorkspace(url, stranger, 'Other');
    await fill(decisions, url, known, {
      ...byKind(callers),
      // A person without a session, on the page of the console.
      visitor: ({ principal }) => (principal === 'none' ? { origin: url } : null),
      admin: ownKind({ console: await addAdmin(url, console) }),
      member: ownKind({ console: await addMember(url, console, credentialsOf('member')) }),
      'other owner': ownKind({ ...others, console: stranger }),
      'other page': ownKind(pagesOf(callers)),
    });
    const foreignIds = {
      ...foreign,
      ...(await peopleOf(url, stranger)),
      ...(await namedIn(url, foreign, others.project ?? {}, stranger)),
    };
    await fillForeign(decisions, url, { ...foreignIds, ...ownerOf(known) }, callers);
    // What has answered 204 has ended nothing of the other owner.
    await accepted(`${url}/v1/console/session`, 'GET', { headers: stranger });
    const act = (name: string, body: object) =>
      askOf(url)(`/v1/console/workspaces/${known['workspaceId']}/${name}`, console, body);
    const ofState = (state: string): Columns => ({
      [state]: ownKind({ ...own, console }),
    });
    await addResult(url, callers.project, known);
    await act('claim', {});
    await act('pause', {});
    await fill(decisions, url, known, ofState('paused'));
    await act('resume', {});
    await act('disconnect', { confirm: 'Own' });
    await fill(decisions, url, known, ofState('disconnected'));
    await act('erase', { confirm: 'Own' });
    await fill(decisions, url, known, ofState('erased'));
  } finally {
    await service.dispose();
  }
}

/** The owner, in a session that was signed out. */
async function signedOut(url: string): Promise<Headers> {
  const signedIn = await accepted(`${url}/v1/console/sign-in`, 'POST', { json: OWNER, origin: url });
  const headers = { cookie: cookieOf(signedIn), origin: url };
  await accepted(`${url}/v1/console/sign-out`, 'POST', { headers, json: {} });
  return headers;
}

/** The callers whose secrets live for a day at most, in a workspace that lives on. */
function lapsing({ upload, capability, session, progress }: Callers) {
  return { upload, capability, session, progress };
}

/** Callers whose secret was revoked or has lapsed, and callers of a preview after its end. */
async function decideAtTheEnd(decisions: Decisions): Promise<void> {
  const limits = { ...LIMITS, console: { sessionMs: 2 * PREVIEW_MS } };
  const service = await ServiceInProcess.start({ limits });
  try {
    const { url } = service;
    const console = await setUp(service);
    const { callers, known } = await addWorkspace(url, console, 'Own');
    await revoke(url, console, known);
    const { project, capability, session, limiter } = callers as Callers;
    const ended = { project, capability, session, limiter, console: await signedOut(url) };
    await fill(decisions, url, known, { revoked: ownKind(ended) });
    const second = await addWorkspace(url, console, 'Second');
    await service.restartAfter(DAY_MS);
    await fill(decisions, url, second.known, { lapsed: ownKind(lapsing(second.callers as Callers)) });
    await service.restartAfter(PREVIEW_MS - DAY_MS);
    await fill(decisions, url, known, { expired: ownKind({ ...callers, console }) });
  } finally {
    await service.dispose();
  }
}

/** Records which host names serve a route, with a separate name for each host. */
async function decideByHost(decisions: Decisions): Promise<void> {
  const address = (host: string) => `http://${nameOf(host)}`;
  const service = await ServiceInProcess.start({
    environment: {
      BASE_URL: address('base'),
      LIMITER_URL: address('limiter'),
      INGEST_URL: address('ingest'),
      CONSOLE_URL: address('console'),
      DASHBOARD_URL: address('console'),
    },
  });
  try {
    for (const route of routes) {
      const serving: string[] = [];
      for (const host of [...HOSTS, 'unknown'])
        if ((await statusUnder(nameOf(host), service.url, route, {})) !== 404) serving.push(host);
      Object.assign(decisions.get(lineOf(route)) ?? {}, { hosts: serving.join(' ') });
    }
  } finally {
    await service.dispose();
  }
}

async function fill(decisions: Decisions, url: string, ids: Ids, columns: Columns): Promise<void> {
  for (const route of routes)
    for (const [column, headersOf] of Object.entries(columns)) {
      const headers = headersOf(route);
      const decision = headers === null ? NOT_ASKED : await decide(url, route, ids, headers);
      Object.assign(decisions.get(lineOf(route)) ?? {}, { [column]: decision });
    }
}

async function addAdmin(url: string, console: Headers): Promise<Headers> {
  const admin = await addMember(url, console, credentialsOf('admin'));
  const { userId } = await callerIds(url, admin);
  const response = await fetch(`${url}/v1/console/members/${userId}`, {
    method: 'PATCH',
    headers: { ...console, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'admin' }),
  });
  if (!response.ok) throw new Error(`making an admin: ${await response.text()}`);
  return admin;
}

/** The answer to a request for what belongs to another owner. */
function foreignAnswer(route: Route): RegExp {
  if (!asksForForeign(route)) return /^$/;
  return lineOf(route) === ENDING ? /^204$/ : /^(404|empty)$/;
}

/** True for a route whose path names something below what belongs to the caller. Anyone may name a widget. */
function asksForForeign({ path, principal }: Route): boolean {
  return path.match(NESTED) !== null && principal !== 'none' && principal !== 'widget';
}

/** Requests for ids of another owner below the caller's own workspace or organization: the handlers look for them. */
async function fillForeign(decisions: Decisions, url: string, ids: Ids, callers: Callers): Promise<void> {
  const bodies = await readBodies(url);
  for (const route of routes.filter(asksForForeign)) {
    const missing = (route.path.match(NESTED) ?? []).filter((name) => ids[name.slice(1)] === undefined);
    if (missing.length > 0) throw new Error(`asking ${lineOf(route)} for another owner's ${missing.join()}`);
    // The body of an erasure repeats the id of the path.
    const body = bodies.get(route.name)?.replaceAll(EXAMPLES.importId, ids['importId'] ?? '');
    const found = await findForeign(url, route, ids, callers[route.principal], body);
    Object.assign(decisions.get(lineOf(route)) ?? {}, { 'foreign id': found });
  }
}

/** The example of a body of each operation, as the OpenAPI document has it. */
async function readBodies(url: string): Promise<ReadonlyMap<string, string>> {
  const document = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.flatMap(({ operationId, requestBody }) => {
      const [content] = Object.entries(requestBody?.content ?? {});
      if (content === undefined) return [];
      const [type, { example }] = content;
      return [[operationId, type === 'application/json' ? JSON.stringify(example) : String(example)]];
    }),
  );
}

/** The ids of an origin that this adds to a workspace, and of a credential of it. */
async function namedIn(
  url: string,
  { installationId, workspaceId }: Ids,
  project: Headers,
  console: Headers,
) {
  const { originId } = await askOf(url)(`/v1/installations/${installationId}/svccheck/origins`, project, {
    schemaVersion: '2026-08-24',
    idempotencyKey: 'origin',
    origin: OTHER_PAGE,
    verificationMethod: 'well_known_file',
  });
  const read = await fetch(`${url}/v1/console/workspaces/${workspaceId}`, { headers: console });
  const { credentials }: Body = await read.json();
  return { originId, credentialId: credentials[0].credentialId };
}

/** The ids of a person, of its session, of its organization and of an invitation there. */
async function peopleOf(url: string, session: Headers): Promise<Ids> {
  const { invitationId } = await askOf(url)('/v1/console/invitations', session, { role: 'member' });
  return { ...(await callerIds(url, session)), invitationId };
}

/** The ids of the workspace itself. */
function ownerOf({ workspaceId = '', installationId = '' }: Ids): Ids {
  return { workspaceId, installationId };
}

/** A verified result, without which a workspace cannot be claimed. */
async function addResult(url: string, project: Headers, { installationId, checklistId }: Ids): Promise<void> {
  const events = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`;
  await askOf(url)(events, project, {
    schemaVersion: '2026-09-07',
    idempotencyKey: 'result',
    subjectDigest: sha256Hex('somebody'),
    cohort: 'test',
    eventKey: 'first',
  });
}

/** The callers that a page or a browser speaks for, from another page. */
function pagesOf(callers: Callers) {
  const onPages = Object.entries(callers).filter(([, { origin }]) => origin !== undefined);
  return Object.fromEntries(onPages.map(([kind, headers]) => [kind, { ...headers, origin: OTHER_PAGE }]));
}

/** Ends each secret that an owner can end: the credential of the workspace, the capability with its sessions, and the key. */
async function revoke(url: string, console: Headers, { workspaceId, schemaId, capabilityId, keyId }: Ids) {
  const workspace = `/v1/console/workspaces/${workspaceId}`;
  const { credentials }: Body = await (await fetch(url + workspace, { headers: console })).json();
  const paths = [
    ...credentials.map(
      ({ credentialId }: { credentialId: string }) => `${workspace}/credentials/${credentialId}`,
    ),
    `${workspace}/schemas/${schemaId}/capabilities/${capabilityId}`,
    `/v1/keys/${keyId}`,
  ];
  for (const path of paths) {
    const response = await fetch(url + path, { method: 'DELETE', headers: console });
    if (!response.ok) throw new Error(`DELETE ${path}: ${await response.text()}`);
  }
}

function lineOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
