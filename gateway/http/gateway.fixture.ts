import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { idFrom, installationOf } from '../../schemas/base/ids.ts';
import { secretFrom } from '../../schemas/base/secrets.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { Role } from '../../schemas/organizations/documents.ts';
import { SWITCHES_ON, type Switches } from '../../schemas/organizations/switches.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { TakeResult } from '../../topics/ports/counters.ts';
import type { Room } from '../../topics/ports/disk-room.ts';
import { ApprovalWaits } from '../imports/delivery/approval-waits.ts';
import type { Checker } from '../limiter/checker.ts';
import { emptyBoard, switchesFrom } from '../operations/empty-board.fixture.ts';
import { OperatorMemory } from '../people/operator-memory.ts';
import { PRINCIPALS, type PrincipalOf, principal } from '../principals.ts';
import type { GatewayServices, Hosts, UntypedCommand } from '../services.ts';
import { createGateway, type Gateway, type GatewayOptions } from './app.ts';
import { type Authenticator, type Authenticators, bearerSecret } from './callers/bearer.ts';
import type { Route } from './routing/route.ts';
import { createLogger } from './server/logging.ts';
import { Overload } from './server/overload.ts';
import { type GatewayServer, listen } from './server/server.ts';

/** Bytes that differ by name, for ids and secrets of tests. */
export function bytesOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}

export const SECRETS = {
  project: secretFrom('project', bytesOf('project')),
  capability: secretFrom('capability', bytesOf('capability')),
  upload: secretFrom('upload', bytesOf('upload')),
  import: secretFrom('import', bytesOf('import')),
  session: secretFrom('session', bytesOf('session')),
  progress: secretFrom('progress', bytesOf('progress')),
} as const;

export const ORGANIZATION = idFrom('organization', bytesOf('organization'));
export const SCHEMA = idFrom('schema', bytesOf('schema'));
/** The page origin of capability and session. */
export const ORIGIN = 'https://customer.example';
export const IMPORT = '0190b0a0-0000-4000-8000-000000000001';

/** A workspace with this name, attached and with every product unless told otherwise. */
export function workspaceNamed(name: string, differing: Partial<WorkspaceView> = {}): WorkspaceView {
  const workspaceId = idFrom('workspace', bytesOf(name));
  return {
    workspaceId,
    installationId: installationOf(workspaceId),
    name,
    organizationId: ORGANIZATION,
    creator: null,
    state: 'active',
    plan: 'free',
    expiresAt: null,
    products: ['svcactivate', 'svcimport'],
    ...differing,
  };
}

/** The surroundings of the gateway that a test decides. They may change while the gateway runs. */
export interface World {
  workspace: WorkspaceView;
  /** The role of the console's person in the organization. */
  role: Role;
  /** True if that organization operates the service. */
  operator: boolean;
  /** The page origin that the browser session is bound to; null: the upload is an agent's. */
  origin: string | null;
  now: number;
  ready: boolean;
  /** Replaces the answer of the counters; null: they count. */
  counters: ((key: string) => TakeResult) | null;
  room: Room;
  switches: Switches;
}

export interface RunningGateway {
  readonly gateway: Gateway;
  readonly server: GatewayServer;
  readonly world: World;
  /** Every log line so far. */
  readonly lines: string[];
  send(request: TestRequest): Promise<TestAnswer>;
  /** Writes bytes to a connection and reads until the other side closes it. */
  sendRaw(bytes: string | Uint8Array): Promise<string>;
  close(): Promise<void>;
}

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; for 204 and HEAD an empty object. */
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  readonly body: any;
}

export const HOSTS: Hosts = {
  base: 'http://127.0.0.1:8787',
  limiter: 'http://127.0.0.1:8787',
  ingest: 'http://127.0.0.1:8787',
  console: 'http://127.0.0.1:8787',
  dashboard: 'http://127.0.0.1:8787',
};

/** Small, so that tests pass them quickly. */
export const LIMITS = {
  ...DEFAULT_LIMITS,
  http: { ...DEFAULT_LIMITS.http, jsonBytes: 1_024, configurationBytes: 4_096, unauthorizedPerMinute: 3 },
};

/** Starts a gateway with these routes on a free port. Principals are who they are by their `SECRETS`. */
export async function startGateway(
  routes: readonly Route[],
  differing: Partial<GatewayOptions> & {
    readonly hosts?: Hosts;
    readonly loopbackPorts?: readonly number[];
    readonly checker?: Checker;
    readonly limits?: Limits;
  } = {},
): Promise<RunningGateway> {
  const world: World = {
    workspace: workspaceNamed('own'),
    now: Date.UTC(2026, 0, 1),
    ready: true,
    origin: null,
    counters: null,
    role: 'owner',
    room: 'ample',
    switches: SWITCHES_ON,
    operator: false,
  };
  const lines: string[] = [];
  const gateway = createGateway({
    routes,
    services: {
      ...servicesOf(world, differing.hosts ?? HOSTS),
      loopbackPorts: differing.loopbackPorts ?? [],
      ...(differing.checker === undefined ? {} : { checker: differing.checker }),
      ...(differing.limits === undefined ? {} : { limits: differing.limits }),
    },
    authenticators: authenticatorsOf(world),
    findWorkspace: async (_store, installationId) =>
      [world.workspace].find((workspace) => workspace.installationId === installationId) ?? null,
    health: { unready: async () => (world.ready ? null : 'A test says so.') },
    logger: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    trustedProxies: [],
    // Never overloaded, however busy the machine of the test is.
    overload: new Overload({ now: () => performance.now(), busyMs: () => 0 }),
    ...differing,
  });
  const server = await listen(gateway, { host: '127.0.0.1', port: 0 });
  return {
    gateway,
    server,
    world,
    lines,
    send: (request) => send(server.port, request),
    sendRaw: (bytes) => sendRaw(server.port, bytes),
    close: () => server.close(),
  };
}

function servicesOf(world: World, hosts: Hosts): GatewayServices {
  const windows = new Map<string, TakeResult>();
  let random = 0;
  return {
    store: { read: async () => ({ root: null, rows: [] }), list: async () => [] },
    digestIndex: { get: async () => null },
    counters: {
      take: async (key, limit, windowMs) => {
        if (world.counters !== null) return world.counters(key);
        const held = windows.get(key) ?? { allowed: true, remaining: limit, resetAt: world.now + windowMs };
        const taken = { ...held, allowed: held.remaining > 0, remaining: Math.max(0, held.remaining - 1) };
        windows.set(key, taken);
        return taken;
      },
      giveBack: async () => {},
    },
    clock: { now: () => world.now },
    entropy: {
      bytes: (count) =>
        Buffer.concat(
          Array.from({ length: Math.ceil(count / 32) }, () => bytesOf(`random ${random++}`)),
        ).subarray(0, count),
    },
    submit: (async ({ input }: UntypedCommand) => input) as GatewayServices['submit'],
    room: () => world.room,
    switches: switchesFrom(() => world.switches),
    board: emptyBoard(() => world.now),
    operators: new OperatorMemory(() => world.now),
    tally: { feedback: () => {} },
    browser: async () => 'ready',
    limits: LIMITS,
    hosts,
    downloads: [],
    secrets: { secret: 'secret', previous: null, identity: 'identity' },
    billingSecret: null,
    signUp: 'open',
    sendsMail: false,
    oidc: null,
    products: [],
    loopbackPorts: [],
    approvalWaits: new ApprovalWaits({ announce: async () => {} }),
    proofs: { read: async () => ({ kind: 'failed', reason: 'dns' }) },
  } satisfies Omit<GatewayServices, 'blobs' | 'checker'> as unknown as GatewayServices;
}

/** Authenticators that know no caller. */
export const NO_CALLERS = Object.fromEntries(
  Object.keys(PRINCIPALS).map((kind) => [kind, async () => null]),
) as unknown as Authenticators;

type TestedKind = 'project' | 'capability' | 'upload' | 'session' | 'progress' | 'console';

function authenticatorsOf(world: World): Authenticators {
  const id = idFrom('capability', bytesOf('c'));
  const owned = { schemaId: SCHEMA };
  const known: { readonly [Kind in TestedKind]: () => PrincipalOf<Kind> | null } = {
    project: () =>
      principal('project', { id: idFrom('credential', bytesOf('c')), workspace: world.workspace }),
    capability: () => principal('capability', { id, owned, workspace: world.workspace }),
    upload: () =>
      principal('upload', {
        id: IMPORT,
        owned: { importId: IMPORT },
        origin: world.origin,
        workspace: world.workspace,
      }),
    session: () =>
      principal('session', {
        id,
        owned,
        sessionDigest: 'digest',
        schemaRevision: 1,
        origin: world.origin ?? ORIGIN,
        delegateApproval: false,
        endsAt: Date.UTC(2026, 0, 2),
        importIds: [IMPORT],
        workspace: world.workspace,
      }),
    progress: () =>
      principal('progress', {
        id: idFrom('enrollment', bytesOf('e')),
        owned: { checklistId: idFrom('checklist', bytesOf('c')) },
        origin: world.origin ?? ORIGIN,
        workspace: world.workspace,
      }),
    console: () =>
      principal('console', {
        id: idFrom('user', bytesOf('u')),
        personKey: 'person',
        sessionDigest: 'digest',
        organizationId: ORGANIZATION,
        role: world.role,
        operator: world.operator,
      }),
  };
  const bearing = <Kind extends TestedKind>(kind: Kind, secret: Exclude<keyof typeof SECRETS, 'session'>) =>
    (async (request) =>
      bearerSecret(request, secret) === SECRETS[secret] ? known[kind]() : null) satisfies Authenticator<Kind>;
  return {
    ...NO_CALLERS,
    project: bearing('project', 'project'),
    capability: bearing('capability', 'capability'),
    upload: bearing('upload', 'upload'),
    session: bearing('session', 'import'),
    progress: bearing('progress', 'progress'),
    console: async ({ headers }) =>
      headers.cookie === `svc_session_8787=${SECRETS.session}` ? known.console() : null,
  };
}

function send(port: number, { method = 'GET', path, headers = {}, body }: TestRequest): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const status = response.statusCode ?? 0;
          resolve({ status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
