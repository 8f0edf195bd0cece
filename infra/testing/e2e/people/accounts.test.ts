import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpCode } from '../../../../gateway/people/set-up-code.ts';
import { confirmCode } from '../../../../gateway/workspaces/confirm-code.ts';
import { secretFrom } from '../../../../schemas/base/secrets.ts';
import { HOUR_MS } from '../../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { sessionSchema } from '../../../../schemas/people/http.ts';
import { capabilitiesSchema } from '../../../../schemas/workspaces/capabilities.ts';
import {
  agentWorkspaceSchema,
  claimInspectionSchema,
  claimLinkAnswerSchema,
  consoleWorkspaceSchema,
  createdWorkspaceSchema,
  workspaceListSchema,
} from '../../../../schemas/workspaces/http.ts';
import { AccountsService, type Received, type RequestParts } from './accounts-service.fixture.ts';

const PASSWORD = 'correct horse battery staple';
const EMAIL = 'Ada@Example.com';
const OWNER = { organization: 'Example', email: EMAIL, password: PASSWORD };
const LIMITS = {
  ...DEFAULT_LIMITS,
  workspace: { ...DEFAULT_LIMITS.workspace, createdPerAddressHour: 40 },
};

let service: AccountsService;
let tokens = 0;

function newToken(): string {
  tokens += 1;
  return secretFrom('provision', Buffer.alloc(32, tokens));
}

const get = (path: string, parts: RequestParts = {}) => service.send('GET', path, parts);
const post = (path: string, json: unknown, parts: RequestParts = {}) =>
  service.send('POST', path, { json, ...parts });

const create = (differing: object = {}) =>
  post('/v1/agent/workspaces', { name: 'Orders', cohort: 'external', products: ['svcimport'], ...differing });

async function newWorkspace() {
  const { status, body } = await create({ provisionToken: newToken() });
  expect(status).toBe(201);
  return createdWorkspaceSchema.parse(body);
}

function refusal({ status, body }: Received) {
  return [status, body.error.code];
}

beforeAll(async () => {
  service = await AccountsService.start(LIMITS);
});

afterAll(async () => {
  await service.close();
});

describe('creating a workspace', () => {
  it('takes no account and answers with ids, secrets and an end', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    const workspace = createdWorkspaceSchema.parse(body);
    expect(workspace).toMatchObject({ state: 'preview', plan: 'preview', products: ['svcimport'] });
    expect(Date.parse(String(workspace.expiresAt)) - Date.parse(workspace.createdAt)).toBe(72 * HOUR_MS);
    expect(workspace.installationId.slice(4)).toBe(workspace.workspaceId.slice(4));
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('answers a repeat with the same token alike, and other input with a conflict', async () => {
    const provisionToken = newToken();
    const first = await create({ provisionToken });
    expect((await create({ provisionToken })).body).toEqual(first.body);
    expect(refusal(await create({ provisionToken, name: 'Invoices' }))).toEqual([
      409,
      'idempotency_conflict',
    ]);
  });

  it('answers two at once with one workspace', async () => {
    const provisionToken = newToken();
    const [one, two] = await Promise.all([create({ provisionToken }), create({ provisionToken })]);
    expect(one.status).toBe(201);
    expect(two.body).toEqual(one.body);
  });

  it('answers a repeat after the secret was rotated, as long as the one before is known', async () => {
    const provisionToken = newToken();
    const first = await create({ provisionToken });
    const { secret, identity } = service.secrets;
    await service.restart({ secret: 'another secret', previous: secret, identity });
    expect((await create({ provisionToken })).body).toEqual(first.body);
    await service.restart({ secret: 'another secret', previous: null, identity });
    expect(refusal(await create({ provisionToken }))).toEqual([410, 'gone']);
    await service.restart({ secret, previous: null, identity });
  });

  it.each([
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['a name of spaces', { name: '   ' }],
    ['a name that hides something', { name: 'Orders\u202e' }],
    ['another cohort', { cohort: 'friends' }],
    ['a product twice', { products: ['svcimport', 'svcimport'] }],
    ['another product', { products: ['svcfeedback'] }],
    ['a mistyped token', { provisionToken: `${newToken().slice(0, -1)}~` }],
    ['a token of another kind', { provisionToken: secretFrom('claim', Buffer.alloc(32)) }],
    ['a field that is not known', { plan: 'free' }],
  ])('refuses %s', async (_what, differing) => {
    const { status, body } = await create(differing);
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).not.toMatch(/svc_(provision|claim)_[0-9A-Za-z]{6}/);
  });
});

describe('the limit of creations by address', () => {
  it('counts workspaces, not repeats', async () => {
    const limited = await AccountsService.start({
      ...LIMITS,
      workspace: { ...LIMITS.workspace, createdPerAddressHour: 2 },
    });
    const send = (provisionToken: string) =>
      limited.send('POST', '/v1/agent/workspaces', {
        json: { name: 'Orders', cohort: 'dogfood', provisionToken },
      });
    const tokens = [newToken(), newToken(), newToken()] as const;
    const statuses: number[] = [];
    for (const token of [tokens[0], tokens[0], tokens[0], tokens[1]])
      statuses.push((await send(token)).status);
    expect(statuses).toEqual([201, 201, 201, 201]);
    const third = await send(tokens[2]);
    expect(refusal(third)).toEqual([429, 'rate_limited']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await send(tokens[1])).status).toBe(201);
    await limited.close();
  });
});

describe('reading the own workspace', () => {
  it('shows state, activation and what is used of the limits', async () => {
    const { credential, workspaceId } = await newWorkspace();
    const { status, body } = await get('/v1/agent/workspace', { bearer: credential });
    expect(status).toBe(200);
    expect(agentWorkspaceSchema.parse(body)).toMatchObject({
      workspaceId,
      state: 'preview',
      activation: { attachedAt: null, claimedAt: null },
      limits: { svcimport: { imports: { limit: 3, used: 0, remaining: 3, resetsAt: null } } },
    });
  });

  it('takes a credential that is known and well-formed', async () => {
    const { credential } = await newWorkspace();
    const unknown = secretFrom('project', Buffer.alloc(32, 9));
    for (const bearer of [unknown, `${credential}x`, newToken()]) {
      expect(refusal(await get('/v1/agent/workspace', { bearer }))).toEqual([401, 'unauthorized']);
    }
  });

  it('stays readable after the end of the preview, when all else is refused', async () => {
    const { credential, provisionToken } = await newWorkspace();
    service.clock.advance(72 * HOUR_MS);
    const { status, body } = await get('/v1/agent/workspace', { bearer: credential });
    expect([status, body.state]).toEqual([200, 'expired']);
    const link = await post('/v1/agent/workspace/claim-link', { provisionToken }, { bearer: credential });
    expect(refusal(link)).toEqual([410, 'expired']);
    expect(refusal(await create({ provisionToken }))).toEqual([409, 'state_conflict']);
  });
});

describe('capabilities', () => {
  it('names what is served, by the table of routes', async () => {
    const { status, body } = await get('/v1/agent/capabilities');
    expect(status).toBe(200);
    const [workspace, imports] = capabilitiesSchema.parse(body).products;
    expect(workspace?.endpoints).toEqual([
      { method: 'GET', path: '/v1/agent/capabilities', host: 'base', auth: 'none' },
      { method: 'POST', path: '/v1/agent/workspaces', host: 'base', auth: 'none' },
      { method: 'GET', path: '/v1/agent/workspace', host: 'base', auth: 'project credential' },
      { method: 'POST', path: '/v1/agent/workspace/claim-link', host: 'base', auth: 'project credential' },
    ]);
    expect(workspace?.limits.preview['lifetimeHours']).toBe(72);
    expect(imports).toMatchObject({
      name: 'svcimport',
      optIn: true,
      limits: { free: { importRows: 10_000 } },
    });
  });
});

describe('an owner', () => {
  const code = () => setUpCode(service.secrets);
  const signIn = (email: string, password: string) => post('/v1/console/sign-in', { email, password });
  let cookie: string;

  beforeAll(async () => {
    const wrong = { ...OWNER, code: secretFrom('setup', Buffer.alloc(32)) };
    expect(refusal(await post('/v1/console/set-up', wrong))).toEqual([403, 'forbidden']);
    const short = { ...OWNER, code: code(), password: 'too short' };
    expect(refusal(await post('/v1/console/set-up', short))).toEqual([400, 'bad_request']);
    const done = await post('/v1/console/set-up', { ...OWNER, code: code() });
    expect(done.status).toBe(201);
    expect(sessionSchema.parse(done.body)).toMatchObject({
      user: { email: 'ada@example.com' },
      organizations: [{ name: 'Example', role: 'owner' }],
      operator: true,
    });
    expect(done.cookie).toMatch(
      /^svc_session=svc_session_[0-9A-Za-z]{40}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
    cookie = String(done.cookie?.split(';')[0]);
  });

  const inspect = (link: { claimUrl: string }, parts: RequestParts = { cookie }) =>
    post('/v1/console/claims/inspect', { code: codeOf(link) }, parts);
  const attach = (link: { claimUrl: string }, confirm: string, parts: RequestParts = { cookie }) =>
    post('/v1/console/claims/attach', { code: codeOf(link), confirm }, parts);
  const codeOf = ({ claimUrl }: { claimUrl: string }) => new URL(claimUrl).hash.slice(1);

  async function newLink() {
    const workspace = await newWorkspace();
    const { credential, provisionToken } = workspace;
    const open = () => post('/v1/agent/workspace/claim-link', { provisionToken }, { bearer: credential });
    const { status, body } = await open();
    expect(status).toBe(201);
    return { workspace, link: claimLinkAnswerSchema.parse(body), open };
  }

  it('is set up once', async () => {
    expect(refusal(await post('/v1/console/set-up', { ...OWNER, code: code() }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  it('is told the same about an unknown address and a wrong password', async () => {
    const answers = [await signIn(EMAIL, 'a wrong password'), await signIn('eve@example.com', PASSWORD)];
    const [wrong, unknown] = answers.map(({ status, body }) => [status, body.error.code, body.error.message]);
    expect(wrong?.slice(0, 2)).toEqual([401, 'unauthorized']);
    expect(unknown).toEqual(wrong);
  });

  it('signs in however the address is written, and out again', async () => {
    const signedIn = await signIn(' ADA@example.COM', PASSWORD);
    expect(signedIn.status).toBe(200);
    const session = { cookie: String(signedIn.cookie?.split(';')[0]) };
    const read = await get('/v1/console/session', session);
    expect(read.body).toEqual(signedIn.body);
    const out = await post('/v1/console/sign-out', {}, session);
    expect([out.status, out.cookie]).toEqual([
      204,
      'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(refusal(await get('/v1/console/session', session))).toEqual([401, 'session_required']);
    const again = await post('/v1/console/sign-out', {}, session);
    expect([again.status, again.cookie]).toEqual([204, out.cookie]);
    expect((await get('/v1/console/session', { cookie })).status).toBe(200);
  });

  it.each([null, 'https://evil.example'])('is not signed in by a page of %s', async (origin) => {
    const answer = await post('/v1/console/sign-in', { email: EMAIL, password: PASSWORD }, { origin });
    expect(refusal(answer)).toEqual([403, 'origin_not_allowed']);
  });

  it('looks behind a link without using it up, then attaches', async () => {
    const { workspace, link } = await newLink();
    const { credential, workspaceId } = workspace;
    for (let look = 0; look < 2; look += 1) {
      expect(claimInspectionSchema.parse((await inspect(link)).body)).toMatchObject({
        workspaceId,
        inventory: expect.objectContaining({ importSchemas: 0, imports: 0, checklists: 0, enrollments: 0 }),
        results: [],
        credentials: [{ last4: credential.slice(-4), name: null }],
        claimable: false,
      });
    }
    expect(refusal(await get(`/v1/console/workspaces/${workspaceId}`, { cookie }))).toEqual([
      404,
      'not_found',
    ]);

    const attached = await attach(link, link.confirmCode.toLowerCase());
    expect(attached.status).toBe(200);
    const seen = consoleWorkspaceSchema.parse(attached.body);
    expect(seen).toMatchObject({ workspaceId, state: 'preview', claimedAt: null });
    expect((await attach(link, link.confirmCode)).body).toEqual(attached.body);
    expect((await get(`/v1/console/workspaces/${workspaceId}`, { cookie })).body).toEqual(attached.body);
    const own = await get('/v1/agent/workspace', { bearer: credential });
    expect(own.body.activation.attachedAt).toBe(seen.attachedAt);
    expect(refusal(await create({ provisionToken: workspace.provisionToken }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  it('needs the confirm code, and has five attempts', async () => {
    const { link, open } = await newLink();
    const wrong = link.confirmCode === 'AAAA' ? 'BBBB' : 'AAAA';
    for (let attempt = 0; attempt < LIMITS.workspace.confirmAttempts; attempt += 1) {
      expect(refusal(await attach(link, wrong))).toEqual([403, 'forbidden']);
    }
    expect(refusal(await attach(link, link.confirmCode))).toEqual([404, 'not_found']);
    expect(refusal(await inspect(link))).toEqual([404, 'not_found']);
    const next = claimLinkAnswerSchema.parse((await open()).body);
    expect((await attach(next, next.confirmCode)).status).toBe(200);
    expect(refusal(await open())).toEqual([409, 'state_conflict']);
  });

  it('is not led by an older link, nor by one that is an hour old', async () => {
    const { link, open } = await newLink();
    const next = claimLinkAnswerSchema.parse((await open()).body);
    expect(refusal(await attach(link, link.confirmCode))).toEqual([404, 'not_found']);
    service.clock.advance(HOUR_MS);
    expect(refusal(await attach(next, next.confirmCode))).toEqual([404, 'not_found']);
  });

  it('has to be signed in to look at a link', async () => {
    const { link } = await newLink();
    expect(refusal(await inspect(link, {}))).toEqual([401, 'session_required']);
    expect(refusal(await attach(link, link.confirmCode, {}))).toEqual([401, 'session_required']);
  });

  it('lists the workspaces, newest first, in pages', async () => {
    const before = workspaceListSchema.parse((await get('/v1/console/workspaces', { cookie })).body);
    const added: string[] = [];
    for (let number = 0; number < 3; number += 1) {
      const { link, workspace } = await newLink();
      service.clock.advance(1);
      await attach(link, link.confirmCode);
      added.unshift(workspace.workspaceId);
    }
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = workspaceListSchema.parse(
        (await get(`/v1/console/workspaces?limit=2${from}`, { cookie })).body,
      );
      expect(page.workspaces.length).toBeLessThanOrEqual(2);
      listed.push(...page.workspaces.map(({ workspaceId }) => workspaceId));
      cursor = page.nextCursor;
    }
    expect(listed).toEqual([...added, ...before.workspaces.map(({ workspaceId }) => workspaceId)]);
    expect(refusal(await get('/v1/console/workspaces?limit=0', { cookie }))).toEqual([400, 'bad_request']);
  });

  it('is signed out by time', async () => {
    service.clock.advance(LIMITS.console.sessionMs);
    expect(refusal(await get('/v1/console/session', { cookie }))).toEqual([401, 'session_required']);
    const again = await signIn(EMAIL, PASSWORD);
    expect(again.status).toBe(200);
    cookie = String(again.cookie?.split(';')[0]);
  });

  it('leaves no secret, no address and no password in topics, state, outcomes or logs', async () => {
    const { workspace, link } = await newLink();
    await attach(link, link.confirmCode);
    const written = (await service.stored()) + service.log;
    expect(written).toContain(workspace.workspaceId);
    expect(link.confirmCode).toBe(confirmCode(service.secrets, codeOf(link)));
    const { credential, provisionToken } = workspace;
    const secrets = [credential, provisionToken, codeOf(link), cookie.split('=')[1], code(), PASSWORD];
    for (const secret of [...secrets, EMAIL.toLowerCase(), '$scrypt$']) {
      expect(written).not.toContain(secret);
      expect(written).not.toContain(EMAIL);
    }
    expect(written).not.toMatch(/svc_[a-z]+_[0-9A-Za-z]{40}/);
  });
});
