import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { SWITCHES_ON } from '../../schemas/organizations/switches.ts';
import {
  IMPORT,
  type RunningGateway,
  SECRETS,
  startGateway,
  type World,
  workspaceNamed,
} from './gateway.fixture.ts';
import { TEST_ROUTES } from './routing/test-routes.fixture.ts';

/** A request and the world it meets; a fault changes one of them. */
interface Attempt {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
  world: Partial<World>;
  exhausted: string[];
}

interface Fault {
  readonly code: ErrorCode;
  readonly add: (attempt: Attempt) => void;
}

const OWN = workspaceNamed('own');

const withoutCredential = (attempt: Attempt) => {
  delete attempt.headers['authorization'];
  delete attempt.headers['cookie'];
};

const differingWorkspace = (attempt: Attempt, differing: Partial<typeof OWN>) => {
  attempt.world.workspace = { ...(attempt.world.workspace ?? OWN), ...differing };
};

/** With the codes of the console, in the order of infra/docs/reference/README.md#order-of-checks, on which the generated pairs below rely. */
const FAULTS = {
  'unknown path': { code: 'not_found', add: (attempt) => (attempt.path += '/more') },
  'unknown method': { code: 'method_not_allowed', add: (attempt) => (attempt.method = 'PATCH') },
  'address limit': {
    code: 'rate_limited',
    add: (attempt) => {
      withoutCredential(attempt);
      attempt.exhausted.push('gateway:unauthorized:');
    },
  },
  'no credential': { code: 'session_required', add: withoutCredential },
  'principal limit': {
    code: 'rate_limited',
    add: (attempt) => attempt.exhausted.push('gateway:management:'),
  },
  'foreign page': {
    code: 'origin_not_allowed',
    add: (attempt) => (attempt.headers['origin'] = 'https://evil.example'),
  },
  'paused workspace': {
    code: 'workspace_paused',
    add: (attempt) => differingWorkspace(attempt, { state: 'paused' }),
  },
  'product not chosen': {
    code: 'product_not_enabled',
    add: (attempt) => differingWorkspace(attempt, { products: [] }),
  },
  'foreign thing': {
    code: 'not_found',
    add: (attempt) => {
      const foreign = workspaceNamed('foreign');
      attempt.path = attempt.path
        .replace(OWN.installationId, foreign.installationId)
        .replace(OWN.workspaceId, foreign.workspaceId);
    },
  },
  'too small a role': { code: 'forbidden', add: (attempt) => (attempt.world.role = 'member') },
  'other content type': {
    code: 'unsupported_media_type',
    add: (attempt) => (attempt.headers['content-type'] = 'text/plain'),
  },
  'long body': { code: 'payload_too_large', add: (attempt) => (attempt.body += ' '.repeat(2_000)) },
  'no JSON': { code: 'bad_request', add: (attempt) => (attempt.body = `{${attempt.body}`) },
  'wrong field': {
    code: 'bad_request',
    add: (attempt) => (attempt.body = attempt.body.replace('name', 'nome')),
  },
  'unknown query': { code: 'bad_request', add: (attempt) => (attempt.query = '?x=1') },
  'scarce room': { code: 'unavailable', add: (attempt) => (attempt.world.room = 'scarce') },
  'switched off': {
    code: 'unavailable',
    add: (attempt) => (attempt.world.switches = { ...SWITCHES_ON, creation: false }),
  },
} as const satisfies Record<string, Fault>;

type FaultName = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as FaultName[];

const PROJECT: Attempt = {
  method: 'POST',
  path: `/v1/installations/${OWN.installationId}/things`,
  query: '',
  headers: { authorization: `Bearer ${SECRETS.project}`, 'content-type': 'application/json' },
  body: '{"name":"a"}',
  world: {},
  exhausted: [],
};

const CONSOLE: Attempt = {
  ...PROJECT,
  path: `/v1/console/workspaces/${OWN.workspaceId}/things`,
  headers: {
    cookie: `svc_session_8787=${SECRETS.session}`,
    'content-type': 'application/json',
    origin: 'http://127.0.0.1:8787',
  },
};

/** An address that cannot be reached has no credential to limit it by: the first of both is seen with the second. */
const SAME_REQUEST: readonly string[] = ['no credential', 'address limit'];

function* pairs(names: readonly FaultName[]): Generator<[FaultName, FaultName]> {
  for (const [index, first] of names.entries()) {
    for (const second of names.slice(index + 1)) {
      if (!(SAME_REQUEST.includes(first) && SAME_REQUEST.includes(second))) yield [first, second];
    }
  }
}

describe('the order of checks', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway(TEST_ROUTES);
  });
  afterAll(() => running.close());
  beforeEach(() => {
    running.world.workspace = OWN;
    running.world.role = 'owner';
    running.world.counters = null;
  });

  async function attempt(base: Attempt, faults: readonly FaultName[]) {
    const made: Attempt = structuredClone(base);
    for (const name of faults) (FAULTS[name] as Fault).add(made);
    Object.assign(running.world, { workspace: OWN, room: 'ample', switches: SWITCHES_ON, ...made.world });
    running.world.counters = (key) => ({
      allowed: !made.exhausted.some((prefix) => key.startsWith(prefix)),
      remaining: 0,
      resetAt: running.world.now + 30_000,
    });
    const { method, path, query, headers, body } = made;
    return await running.send({ method, path: path + query, headers, body });
  }

  it.each([
    ['project', PROJECT, 200],
    ['console', CONSOLE, 201],
  ] as const)('lets a %s request without a fault through', async (_name, base, status) => {
    expect(await attempt(base, [])).toMatchObject({ status });
  });

  const ofConsole: readonly string[] = ['foreign page', 'too small a role', 'scarce room'];
  const forProject = NAMES.filter((name) => !ofConsole.includes(name));
  it.each([...pairs(forProject)])(
    'project: of "%s" and "%s" the first is answered',
    async (first, second) => {
      const { body } = await attempt(PROJECT, [first, second]);
      expect(body.error.code).toBe(first === 'no credential' ? 'unauthorized' : FAULTS[first].code);
    },
  );

  // Of a workspace that is not the caller's nothing is told, so its state and products are no answer.
  const told = ['paused workspace', 'product not chosen'] as const;
  it.each([...pairs(NAMES)])('console: of "%s" and "%s" the first is answered', async (first, second) => {
    const hidden = second === 'foreign thing' && told.some((name) => name === first);
    const { body } = await attempt(CONSOLE, [first, second]);
    expect(body.error.code).toBe(FAULTS[hidden ? second : first].code);
  });

  it.each(NAMES)('finds "%s" alone', async (name) => {
    const { body } = await attempt(CONSOLE, [name]);
    expect(body.error.code).toBe(FAULTS[name].code);
  });

  it('tells how long to wait where waiting helps', async () => {
    const { headers } = await attempt(PROJECT, ['principal limit']);
    expect(headers['retry-after']).toBe('30');
  });

  it('refuses uploads and what makes something while room is scarce, and nothing else', async () => {
    running.world.room = 'scarce';
    const upload = { authorization: `Bearer ${SECRETS.upload}`, 'content-type': 'text/csv' };
    const answers = await Promise.all([
      running.send({ ...CONSOLE }),
      running.send({ method: 'PUT', path: `/v1/uploads/${IMPORT}`, headers: upload, body: 'a' }),
      running.send({ method: 'GET', path: PROJECT.path, headers: PROJECT.headers }),
      running.send({ method: 'POST', path: '/v1/console/leave', headers: CONSOLE.headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200, 204]);
    expect(answers[0]?.headers['retry-after']).toBe('60');
    running.world.room = 'ample';
  });

  it('draws on the address only without a valid credential', async () => {
    const send = (headers: Record<string, string>) => running.send({ ...PROJECT, headers });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await send({})).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await send(PROJECT.headers)).status).toBe(200);
  });

  it('counts callers apart from each other by what they are, not by what they say', async () => {
    const keys: string[] = [];
    running.world.counters = (key) => {
      keys.push(key);
      return { allowed: true, remaining: 1, resetAt: 0 };
    };
    await running.send({ ...PROJECT });
    await running.send({ ...PROJECT, headers: {} });
    await running.send({ ...CONSOLE });
    expect(keys[0]).toMatch(/^gateway:management:project:crd_[a-z2-7]{24}$/);
    expect(keys[1]).toMatch(/^gateway:unauthorized:[\w-]{43}$/);
    expect(keys[2]).toMatch(/^gateway:management:console:usr_[a-z2-7]{24}$/);
    expect(keys.join()).not.toMatch(/svc_|127\.0\.0\.1/);
  });
});

describe('ownership and state', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway(TEST_ROUTES);
  });
  afterAll(() => running.close());
  beforeEach(() => {
    running.world.workspace = OWN;
  });

  const project = { authorization: `Bearer ${SECRETS.project}` };
  const read = () =>
    running.send({ path: `/v1/installations/${OWN.installationId}/things`, headers: project });
  const make = () => running.send(PROJECT);

  it.each([
    ['paused', { state: 'paused' }, 'workspace_paused', 403],
    ['disconnected', { state: 'disconnected' }, 'workspace_disconnected', 403],
    ['at its end', { expiresAt: 1 }, 'expired', 410],
    ['paused and at its end', { state: 'paused', expiresAt: 1 }, 'expired', 410],
  ] as const)('answers for a workspace that is %s', async (_name, differing, code, status) => {
    running.world.workspace = { ...OWN, ...differing };
    expect(await make()).toMatchObject({ status, body: { error: { code } } });
    expect((await read()).status).toBe(200);
  });

  it('compares every part of a path that names an owned resource', async () => {
    const { workspaceId } = OWN;
    const headers = { authorization: `Bearer ${SECRETS.capability}` };
    const send = (path: string) => running.send({ path, headers });
    const schemaId = 'sch_foreign';
    expect((await send(`/v1/delivery/${workspaceId}/${schemaId}`)).status).toBe(404);
    expect((await send(`/v1/delivery/wks_foreign/${schemaId}`)).status).toBe(404);
    const upload = { authorization: `Bearer ${SECRETS.upload}`, 'content-type': 'text/csv' };
    const foreign = { method: 'PUT', path: '/v1/uploads/another', headers: upload, body: 'a' };
    expect((await running.send(foreign)).status).toBe(404);
  });

  it('answers for an unattached, a foreign, a missing and a misspelt workspace alike', async () => {
    const answers = [];
    for (const organizationId of [null, 'org_another']) {
      running.world.workspace = { ...OWN, organizationId };
      answers.push(await running.send({ ...CONSOLE }));
    }
    for (const name of [workspaceNamed('missing').workspaceId, 'wks_', '%00']) {
      answers.push(await running.send({ ...CONSOLE, path: `/v1/console/workspaces/${name}/things` }));
    }
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body.error.message).toBe(answers[0]?.body.error.message);
    }
  });

  it.each([
    ['the scheme', 'https://127.0.0.1:8787'],
    ['the port', 'http://127.0.0.1:8788'],
    ['a longer port', 'http://127.0.0.1:87871'],
    ['no port', 'http://127.0.0.1'],
    ['a longer host', 'http://127.0.0.1.evil.example:8787'],
    ['a host in front', 'http://evil.127.0.0.1:8787'],
    ['another name of the host', 'http://localhost:8787'],
    ['a user', 'http://evil@127.0.0.1:8787'],
    ['a path', 'http://127.0.0.1:8787/'],
    ['a second origin', 'http://127.0.0.1:8787, http://127.0.0.1:8787'],
    ['the whole value', 'null'],
  ])('refuses a change from a page whose origin differs in %s', async (_part, origin) => {
    const { status, body } = await running.send({ ...CONSOLE, headers: { ...CONSOLE.headers, origin } });
    expect([status, body.error.code]).toEqual([403, 'origin_not_allowed']);
  });

  it('leaves a console read open to any page, since it changes nothing', async () => {
    const { origin: _origin, ...headers } = CONSOLE.headers;
    expect((await running.send({ ...CONSOLE, headers })).status).toBe(403);
    const signOut = { method: 'POST', path: '/v1/console/leave' };
    const answer = await running.send({ ...signOut, headers: CONSOLE.headers });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{24}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await running.send({ ...signOut, headers })).body.error.code).toBe('origin_not_allowed');
  });
});
