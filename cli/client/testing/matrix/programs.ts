// Programs of users of the library, as they write them. They run where this repository's own TypeScript does not.

/** Imports both modules, sends two checks of one user, and prints what it saw. */
export const USE = `
const { LIMITER_KEY, LIMITER_URL } = globalThis.process?.env ?? settings;
export async function use({ limiter, addressKey, subjectDigest, events }, { examine }) {
  const limits = limiter({ key: LIMITER_KEY, baseUrl: LIMITER_URL, onNoAnswer: 'throw', deadlineMs: 60_000 });
  const check = { namespace: 'matrix', identifier: crypto.randomUUID(), limit: 1, window: 60_000 };
  const allowed = [(await limits.check(check)).allowed, (await limits.check(check)).allowed];
  const ended = await limits.reset(check);
  const digest = await subjectDigest('secret', 7);
  const examined = await examine(new TextEncoder().encode('a;b\\n1;2\\n'));
  const warned = limiter({ key: LIMITER_KEY, baseUrl: 'http://127.0.0.1:1', onNoAnswer: 'allow' });
  const { source } = await warned.check(check);
  const options = { baseUrl: LIMITER_URL, credential: 'svc_project_x', installationId: 'ins_x', checklistId: 'chk_x' };
  const { outcome } = await events({ ...options, cohort: 'test' }).record({ subjectDigest: digest, eventKey: 'a' });
  const kinds = examined.findings.map(({ kind }) => kind);
  return [...allowed, ended, addressKey('2001:db8::1'), digest.length, ...kinds, source, outcome].join(' ');
}
`;
export const SEEN = 'true false true 2001:db8::/64 64 separator no_answer not_yet';

const BODY_OF_USE = USE.replace('export async function', 'async function');

export const MODULE = `import * as client from 'svc-client';
import * as files from 'svc-client/examine';
${BODY_OF_USE}
console.log(await use(client, files));
`;

export const COMMON_JS = `const client = require('svc-client');
const files = require('svc-client/examine');
${BODY_OF_USE}
use(client, files).then(console.log);
`;

export const JEST = `import { SvcError } from 'svc-client';
${BODY_OF_USE}
test('the library', async () => {
  expect(typeof SvcError).toBe('function');
  expect(await use(require('svc-client'), require('svc-client/examine'))).toBe(${JSON.stringify(SEEN)});
});
`;

/** A worker, whose settings are bindings. It has no process. */
export const WORKER = `import * as client from 'svc-client';
import * as files from 'svc-client/examine';
const settings = {};
${USE.replace('const { LIMITER_KEY, LIMITER_URL } = globalThis.process?.env ?? settings;', '')
  .replace('export async function', 'async function')
  .replaceAll('LIMITER_', 'settings.LIMITER_')}
const never = { check: () => { throw new Error('not asked'); }, checkAll: () => { throw new Error('not asked'); } };
export default {
  async fetch(request, env) {
    Object.assign(settings, env);
    const limits = client.limiter({ key: env.LIMITER_KEY, baseUrl: env.LIMITER_URL, onNoAnswer: 'throw', deadlineMs: 60_000 });
    const limit = { namespace: 'worker', limit: 9, window: 60_000, identifier: () => 'ada' };
    const answer = client.fetchLimit(limits, limit)(async () => new Response(await use(client, files)));
    return await answer(request, env);
  },
};
`;

/** The configuration of workerd for the worker, on a port. */
export function workerConfiguration(port: number, environment: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(environment).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  const library = (name: string, file: string) =>
    `(name = "${name}", esModule = embed "node_modules/svc-client/${file}")`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      compatibilityDate = "2024-09-01",
      globalOutbound = "network",
      bindings = [${bindings.join(', ')}],
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        ${library('svc-client', 'svc-client.js')},
        ${library('svc-client/examine', 'svc-client-examine.js')},
      ])),
    (name = "network", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`;
}

/** A user's program in TypeScript. It names each type of the platform that the library does. */
export const TYPED = `import { addressKey, type Decision, delivery, events, expressLimit, honoLimit, limiter, SvcError } from 'svc-client';
import { examine, type Finding } from 'svc-client/examine';
const limits = limiter({ key: 'k', baseUrl: 'https://api.example.com', onNoAnswer: 'allow' });
export const decide = (): Promise<Decision> => limits.check({ namespace: 'a', identifier: 'b', limit: 1, window: 1 });
export const express = expressLimit(limits, {
  ...{ namespace: 'a', limit: 1, window: 1 },
  identifier: (request: { ip?: string }) => addressKey(request.ip),
});
export const hono = honoLimit(limits, {
  ...{ namespace: 'a', limit: 1, window: 1 },
  identifier: async (c) => (await c.req.json()).email,
});
export const findings = async (bytes: Uint8Array): Promise<readonly Finding[]> => (await examine(bytes))?.findings ?? [];
export const makes = [delivery, events, SvcError];
`;

/**
 * Sends a request to an application of each framework, and to one whose answer something else gives before a slow check. Its argument
 * names the module of the framework. A process that a rejection ends prints nothing.
 */
export const FRAMEWORKS = `import { createServer } from 'node:http';
import { once } from 'node:events';
import { expressLimit, fastifyLimit, honoLimit, limiter } from 'svc-client';
const [name, kind] = process.argv.slice(2);
const { LIMITER_KEY, LIMITER_URL } = process.env;
const limits = limiter({ key: LIMITER_KEY, baseUrl: LIMITER_URL, onNoAnswer: 'throw', deadlineMs: 60_000 });
const limit = { namespace: 'matrix ' + name, limit: 1, window: 60_000, identifier: () => 'ada' };
let decide;
const decided = new Promise((resolve) => { decide = resolve; });
const slow = { check: async (asked) => { await decided; return limits.check(asked); } };
const failing = { check: async () => { await decided; throw new Error('broken'); } };
const library = kind === 'node' ? null : await import(name);
const make = {
  node: (limit) => createServer((request, response) => {
    if (request.url === '/late') response.writeHead(503).end();
    limit(request, response, (error) => response.headersSent || response.writeHead(error ? 500 : 200).end());
  }),
  express: (limit) => {
    const app = library.default();
    app.use((request, response, next) => { if (request.url === '/late') response.writeHead(503).end(); next(); });
    app.use(limit);
    app.use((request, response, next) => { if (!response.headersSent) response.end('ok'); });
    return createServer(app);
  },
};
async function statuses(server, paths, before) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const all = [];
  for (const path of paths) {
    all.push((await fetch('http://127.0.0.1:' + server.address().port + path)).status);
    before?.();
  }
  server.closeAllConnections();
  server.close();
  return all;
}
const seen = [];
if (kind === 'fastify') {
  const app = library.default();
  app.addHook('onRequest', fastifyLimit(limits, limit));
  app.get('/', async () => 'ok');
  for (const _ of [1, 2]) seen.push((await app.inject('/')).statusCode);
} else if (kind === 'hono') {
  const upstream = createServer((_request, response) => response.end('upstream')).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const url = 'http://127.0.0.1:' + upstream.address().port;
  const app = new library.Hono();
  app.use('/limited', honoLimit(limits, limit));
  app.get('/limited', (c) => c.text('ok'));
  app.use('/frozen/*', honoLimit(limits, { ...limit, namespace: 'frozen ' + name, limit: 9 }));
  app.get('/frozen/proxy', () => fetch(url));
  app.get('/frozen/redirect', () => Response.redirect('https://app.example/'));
  for (const path of ['/limited', '/limited', '/frozen/proxy', '/frozen/redirect']) {
    const { status, headers } = await app.request(path);
    seen.push(headers.has('ratelimit') ? status : 'no headers');
  }
  upstream.close();
} else {
  seen.push(...(await statuses(make[kind](expressLimit(limits, limit)), ['/', '/'])));
  for (const limiter of [slow, failing]) {
    seen.push(...(await statuses(make[kind](expressLimit(limiter, limit)), ['/late'], decide)));
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
console.log(seen.join(' '));
process.exit(0);
`;
