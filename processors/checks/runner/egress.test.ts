import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Canary } from './canary.fixture.ts';
import { HostileRuns, HostileSite, PUBLIC_ADDRESS, SITE } from './hostile.fixture.ts';
import { answerTry, scriptOf, TRIES, type Try } from './tries.fixture.ts';
import { openUnguarded } from './unguarded.fixture.ts';

const WAIT = { timeout: 90_000, interval: 50 };
/** The longest time for which a page is held while its requests arrive at the guard. */
const HELD = { timeout: 90_000, interval: 50 };

/** This machine in every notation, and names that lead to it. A browser without a guard reaches it by each. */
const NOTATIONS = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '127.0.0.1.'],
  ...['127。0。0。1', '①②⑦.0.0.1', '127.0.0.2', 'localhost', 'localhost.', 'LOCALHOST', 'a.localhost'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'private.example', 'rebound.example', 'split.example'],
  ...['mapped.example', 'api.own.example'],
];
/** Addresses that lead to this machine, or into its network, only where something translates them. */
const TRANSLATED = ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::1]', '[::]', '169.254.169.254', '10.0.0.1'];
/** Hosts that every try is made for. */
const TRIED_HOSTS = ['127.0.0.1', 'localhost', 'private.example', '[::1]'];

/** Ports that the browser itself opens for no page. */
const UNSAFE: readonly number[] = [22, 25, 6379];

/** Tries for which the browser does not ask its proxy, or not always. */
const CLOSED: readonly Try[] = [
  ...(['WebTransport', 'STUN', 'a popup', 'a service worker', 'a preconnect'] as const),
  ...(['a link with a ping', 'TURN over TCP'] as const),
];
/** Tries of one page: a browser has 32 connections to its proxy, and requests of a low priority wait. */
const TRIES_A_PAGE = 8;
const PAGES = Array.from({ length: Math.ceil(TRIES.length / TRIES_A_PAGE) }, (_, page) =>
  TRIES.slice(page * TRIES_A_PAGE, (page + 1) * TRIES_A_PAGE),
);

const fetchEach = (urls: readonly string[]) =>
  `for (const url of ${JSON.stringify(urls)}) fetch(url, { mode: 'no-cors' }).catch(() => {});`;

/** Shows the heading once a page has tried everything, and waited for the tries. */
const finishAfter = (ms: number) =>
  `setTimeout(() => document.body.prepend(Object.assign(document.createElement('h1'), { textContent: 'Done' })), ${ms});`;

describe('the egress of a run', () => {
  let canaries: Map<Try, Canary>;
  let notations: Canary;
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    canaries = new Map();
    for (const name of TRIES) canaries.set(name, await Canary.start());
    notations = await Canary.start();
    site = await HostileSite.start();
    runs = new HostileRuns(site);
    site.names.set('private.example', [['127.0.0.1']]);
    site.names.set('rebound.example', [[PUBLIC_ADDRESS], ['127.0.0.1']]);
    site.names.set('split.example', [[PUBLIC_ADDRESS, '::1']]);
    site.names.set('mapped.example', [['::ffff:127.0.0.1']]);
    site.otherwise = (request, response) => {
      if (!answerTry(request, response)) response.writeHead(404).end();
    };
    const portOf = (name: Try) => canaryOf(name).port;
    site.html('/tries', `<body><script>${scriptOf(TRIES, TRIED_HOSTS, portOf)}</script>`);
    for (const [page, tries] of PAGES.entries()) {
      held(`/tries-${page}`, scriptOf(tries, TRIED_HOSTS, portOf), () => isEachAsked(tries));
    }
    const urls = [...NOTATIONS, ...TRANSLATED].map((host, at) => `http://${host}:${notations.port}/${at}`);
    held('/notations', fetchEach(urls), () => askedAt(notations.port) >= NOTATIONS.length);
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
    for (const canary of [...canaries.values(), notations]) await canary.close();
  });
  beforeEach(() => {
    for (const canary of [...canaries.values(), notations]) canary.reset();
    site.dialled.length = 0;
    site.guard.asked.length = 0;
  });

  /** Serves a page whose end the browser gets once its script has asked the guard for what it tries. */
  function held(path: string, script: string, isAsked: () => boolean): void {
    site.pages.set(path, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.write(`<title>Tries</title><body><h1>Done</h1><script>${script}</script>`);
      const end = () => response.end();
      // A try that the browser keeps back need not be waited for: it reaches nothing, either.
      vi.waitUntil(() => isAsked() || response.destroyed, HELD).then(end, end);
    });
  }

  const askedAt = (port: number) => site.guard.asked.filter((each) => each.port === port).length;
  const isEachAsked = (tries: readonly Try[]) =>
    tries.every((name) => CLOSED.includes(name) || askedAt(canaryOf(name).port) > 0);

  function canaryOf(name: Try): Canary {
    const canary = canaries.get(name);
    if (canary === undefined) throw new Error(`looking for the canary of ${name}`);
    return canary;
  }

  const reached = () => TRIES.filter((name) => canaryOf(name).reached > 0);
  const dialledElsewhere = () =>
    site.dialled.filter((target) => ![`127.0.0.1:${site.port}`, `${PUBLIC_ADDRESS}:80`].includes(target));

  it('is all that keeps a page from this machine: without it, every try reaches its canary', async () => {
    await openUnguarded(`${site.loopbackOrigin}/tries`, () =>
      vi.waitFor(() => expect(TRIES.filter((name) => !reached().includes(name))).toEqual([]), WAIT),
    );
    await openUnguarded(`${site.loopbackOrigin}/notations`, () =>
      vi.waitFor(() => {
        const missed = NOTATIONS.filter((_host, at) => !notations.paths.includes(`/${at}`));
        expect(missed).toEqual([]);
      }, WAIT),
    );
  });

  it.each(PAGES.map((tries, page) => ({ page, tries: tries.join(', ') })))(
    'lets none of these reach its canary: $tries',
    async ({ page }) => {
      const findings = await runs.run(`/tries-${page}`, { origin: site.loopbackOrigin });
      expect(findings.failure).toBeNull();
      expect(findings.blockedRequests).toBeGreaterThan(0);
      expect(JSON.stringify(findings)).not.toContain('secret of the canary');
      expect(reached()).toEqual([]);
      expect(dialledElsewhere()).toEqual([]);
    },
  );

  it('lets no notation of a private address through', async () => {
    const findings = await runs.run('/notations', { origin: site.loopbackOrigin });
    expect(findings.failure).toBeNull();
    expect(findings.blockedRequests).toBeGreaterThan(0);
    expect([notations.reached, dialledElsewhere()]).toEqual([0, []]);
  });

  it.each([
    ['ports', 'site.example', [22, 25, 6379, 8080, 8787]],
    ['hosts of the service', 'api.own.example', [80, 443]],
  ] as const)('opens no %s that are not for it', async (_what, host, ports) => {
    const urls = ports.map((port) => `http://${host}:${port}/`);
    held('/ports', fetchEach(urls), () => ports.every((port) => askedAt(port) > 0 || UNSAFE.includes(port)));
    const findings = await runs.run('/ports');
    expect(findings.failure).toBeNull();
    expect(dialledElsewhere()).toEqual([]);
  });

  it('reaches nothing private by a download, which would leave the origin', async () => {
    const target = JSON.stringify(`http://127.0.0.1:${notations.port}/`);
    const click = `Object.assign(document.createElement('a'), { href: ${target}, download: 'x' }).click();`;
    site.html('/download', `<body><script>${click}\n${finishAfter(500)}</script>`);
    expect((await runs.run('/download')).failure).toMatchObject({ reason: 'blocked_egress' });
    expect(notations.reached).toBe(0);
  });

  it.each([
    ['a redirect', (target: string) => [302, { Location: target }, ''] as const],
    [
      'a refresh',
      (target: string) => [200, {}, `<meta http-equiv="refresh" content="0;url=${target}">`] as const,
    ],
    [
      'a script',
      (target: string) => [200, {}, `<script>location = ${JSON.stringify(target)}</script>`] as const,
    ],
    [
      'a form',
      (target: string) =>
        [
          200,
          {},
          `<form action="${target}" method="post"></form><script>document.forms[0].submit()</script>`,
        ] as const,
    ],
  ])('stays on the origin after %s', async (name, answer) => {
    const path = `/to-${encodeURIComponent(name)}`;
    const [status, headers, body] = answer(`http://127.0.0.1:${notations.port}/`);
    site.pages.set(path, (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body);
    });
    const { failure, finalUrl } = await runs.run(path);
    expect(failure).toMatchObject({ reason: 'blocked_egress' });
    expect(finalUrl ?? SITE).toContain(SITE);
    expect(notations.reached).toBe(0);
  });

  it('opens no frame of another scheme', async () => {
    const schemes = [
      ...['file:///etc/passwd', 'view-source:http://site.example/', 'chrome://version/', 'ftp://127.0.0.1/'],
      ...[
        'filesystem:http://site.example/x',
        'devtools://devtools/',
        'chrome-extension://x/',
        'about:version',
      ],
    ];
    const frames = schemes.map((address) => `<iframe src="${address}"></iframe>`).join('');
    site.html('/schemes', `<body>${frames}<script>${finishAfter(500)}</script>`);
    const { failure, finalUrl } = await runs.run('/schemes');
    expect([failure, finalUrl]).toEqual([null, `${SITE}/schemes`]);
    expect([notations.reached, dialledElsewhere()]).toEqual([0, []]);
  });

  it.each([
    'file:///etc/passwd',
    'view-source:http://site.example/',
    'chrome://version/',
    'data:text/html,x',
  ])('opens no page at %s', async (address) => {
    site.html(
      '/scheme',
      `<body><script>try { location = ${JSON.stringify(address)} } catch {}\n${finishAfter(500)}</script>`,
    );
    const { finalUrl } = await runs.run('/scheme');
    expect(finalUrl ?? SITE).toContain(SITE);
  });

  it('keeps cookies, storage and caches of one run from the next', async () => {
    site.pages.set('/cached', (_request, response) => {
      response.writeHead(200, { 'Cache-Control': 'max-age=3600' }).end(String(Math.random()));
    });
    site.html(
      '/store',
      `<body><script>
        const seen = document.cookie + localStorage.length;
        document.cookie = 'a=b; max-age=3600';
        localStorage.setItem('a', 'b');
        fetch('/cached', { cache: 'only-if-cached', mode: 'same-origin' }).then(() => 'cached', () => 'new').then(async (cache) => {
          await fetch('/cached');
          document.body.innerHTML = '<h1>Seen ' + seen + ' ' + cache + '</h1>';
        });
      </script>`,
    );
    for (let run = 0; run < 2; run += 1) {
      expect(
        (await runs.run('/store', { steps: [{ action: 'expect_heading', text: 'Seen 0 new' }] })).failure,
      ).toBeNull();
    }
  });
});
