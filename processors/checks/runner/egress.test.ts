import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Canary, HostileRuns, HostileSite, PUBLIC_ADDRESS, SITE } from './hostile.fixture.ts';

const DONE = '<h1 id="done" hidden>Done</h1>';
/** Shows the heading once a page has tried everything, and waited for the tries. */
const FINISH = 'setTimeout(() => { document.getElementById("done").hidden = false; }, 700);';

describe('the egress of a run', () => {
  let canary: Canary;
  let site: HostileSite;
  let runs: HostileRuns;
  /** Addresses of the canary in every notation. */
  let targets: string[];

  beforeAll(async () => {
    canary = await Canary.start();
    site = await HostileSite.start();
    runs = new HostileRuns(site);
    const { port } = canary;
    const hosts = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', 'localhost'],
      ...[
        'localhost.',
        'LOCALHOST',
        '127.0.0.1.',
        '127。0。0。1',
        'user@127.0.0.1',
        'site.example@127.0.0.1',
      ],
      ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::]'],
      ...['private.example', 'rebound.example', 'split.example', '7f000001.nip.io', 'api.own.example'],
    ];
    site.names.set('private.example', [['127.0.0.1']]);
    site.names.set('rebound.example', [[PUBLIC_ADDRESS], ['127.0.0.1']]);
    site.names.set('split.example', [[PUBLIC_ADDRESS, '::1']]);
    site.names.set('7f000001.nip.io', [['127.0.0.1']]);
    targets = hosts.map((host) => `http://${host}:${port}/`);
  }, 60_000);
  afterAll(async () => {
    await runs.close();
    await site.close();
    await canary.close();
  });

  /** Serves a page that does something with each target, and runs it. */
  async function attempt(path: string, script: string, failure: string | null = null): Promise<void> {
    site.html(
      path,
      `<title>Try</title>${DONE}<script>const targets = ${JSON.stringify(targets)};${script};${FINISH}</script>`,
    );
    const findings = await runs.run(path);
    expect(findings.failure?.reason ?? null).toBe(failure);
    expect(JSON.stringify(findings)).not.toContain('secret of the canary');
    expect(canary.reached).toBe(0);
    expect(site.dialled.filter((target) => !target.startsWith(PUBLIC_ADDRESS))).toEqual([]);
  }

  const EACH = (statement: string) => `for (const target of targets) { try { ${statement} } catch {} }`;
  const ELEMENT = (tag: string, attributes: string) =>
    EACH(`document.body.append(Object.assign(document.createElement('${tag}'), ${attributes}));`);

  it.each([
    ['fetch', EACH("fetch(target, { mode: 'no-cors' }).catch(() => {});")],
    ['XMLHttpRequest', EACH("const x = new XMLHttpRequest(); x.open('POST', target); x.send('x');")],
    ['beacons', EACH("navigator.sendBeacon(target, 'x');")],
    ['EventSource', EACH('new EventSource(target);')],
    ['WebSocket', EACH("new WebSocket(target.replace('http', 'ws'));")],
    ['WebTransport', EACH("new WebTransport(target.replace('http:', 'https:')).ready.catch(() => {});")],
    ['images', ELEMENT('img', '{ src: target }')],
    ['scripts', ELEMENT('script', '{ src: target }')],
    ['frames', ELEMENT('iframe', '{ src: target }')],
    ['objects', ELEMENT('object', '{ data: target }')],
    ['style sheets', ELEMENT('link', "{ rel: 'stylesheet', href: target }")],
    ['preloads', ELEMENT('link', "{ rel: 'preload', as: 'image', href: target }")],
    ['prefetches', ELEMENT('link', "{ rel: 'prefetch', href: target }")],
    ['preconnects', ELEMENT('link', "{ rel: 'preconnect', href: target }")],
    ['DNS prefetches', ELEMENT('link', "{ rel: 'dns-prefetch', href: target }")],
    ['videos', ELEMENT('video', '{ src: target, autoplay: true, muted: true }')],
    ['popups', EACH('window.open(target);')],
    [
      'forms in a frame',
      "document.body.innerHTML += '<iframe name=f></iframe>';" +
        EACH(
          "const form = Object.assign(document.createElement('form'), { action: target, method: 'post', target: 'f' }); document.body.append(form); form.submit();",
        ),
    ],
    [
      'workers',
      `const code = new Blob(['onmessage = ({ data }) => { for (const target of data) fetch(target, { mode: "no-cors" }).catch(() => {}); };']); const w = new Worker(URL.createObjectURL(code)); w.postMessage(targets)`,
    ],
    [
      'shared workers',
      `const code = new Blob(['onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { for (const target of data) fetch(target, { mode: "no-cors" }).catch(() => {}); }; };']); const w = new SharedWorker(URL.createObjectURL(code)); w.port.postMessage(targets)`,
    ],
    [
      'STUN and TURN',
      EACH(
        "const [, host] = /^http:..(.*).$/.exec(target); const peer = new RTCPeerConnection({ iceServers: [{ urls: ['stun:' + host] }, { urls: ['turn:' + host + '?transport=tcp'], username: 'u', credential: 'c' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));",
      ),
    ],
  ] as const)(
    'reaches nothing private by %s',
    async (name, script) => {
      await attempt(`/${encodeURIComponent(name)}`, script);
    },
    30_000,
  );

  it('reaches nothing private by downloads, which would leave the origin', async () => {
    const click = "Object.assign(document.createElement('a'), { href: target, download: 'x' }).click();";
    await attempt('/downloads', EACH(click), 'blocked_egress');
  }, 30_000);

  it('reaches nothing private by a service worker, which does not start', async () => {
    site.pages.set('/worker.js', (_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/javascript' })
        .end(`fetch(${JSON.stringify(targets[0])}, { mode: 'no-cors' });`);
    });
    await attempt('/service-worker', "navigator.serviceWorker?.register('/worker.js').catch(() => {})");
  }, 30_000);

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
  ])(
    'stays on the origin after %s',
    async (name, answer) => {
      const path = `/to-${encodeURIComponent(name)}`;
      const [status, headers, body] = answer(targets[0] ?? '');
      site.pages.set(path, (_request, response) => {
        response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body);
      });
      const { failure, finalUrl } = await runs.run(path);
      expect(failure).toMatchObject({ reason: 'blocked_egress' });
      expect(finalUrl ?? SITE).toContain(SITE);
      expect(canary.reached).toBe(0);
    },
    30_000,
  );

  it.each([
    'file:///etc/passwd',
    'view-source:http://site.example/',
    'chrome://version/',
    'ftp://127.0.0.1/',
    'filesystem:http://site.example/x',
  ])(
    'opens no page at %s',
    async (address) => {
      const path = `/scheme-${encodeURIComponent(address).slice(0, 12)}`;
      site.html(
        path,
        `${DONE}<iframe src="${address}"></iframe><script>try { location = ${JSON.stringify(address)} } catch {};${FINISH}</script>`,
      );
      const { finalUrl } = await runs.run(path);
      expect(finalUrl ?? SITE).toContain(SITE);
      expect(canary.reached).toBe(0);
    },
    30_000,
  );

  it('keeps cookies and storage of one run from the next', async () => {
    const script =
      "const seen = document.cookie + localStorage.length; document.cookie = 'a=b'; localStorage.setItem('a', 'b');";
    site.html(
      '/store',
      `<h1></h1><script>${script}document.querySelector('h1').textContent = 'Seen ' + seen</script>`,
    );
    for (let run = 0; run < 2; run += 1) expect((await runs.run('/store', 'Seen 0')).failure).toBeNull();
  }, 30_000);

  it('could reach the canary without the guard', async () => {
    expect(canary.reached).toBe(0);
    const answer = await fetch(`http://127.0.0.1:${canary.port}/`);
    expect(await answer.text()).toBe('secret of the canary');
    expect(canary.reached).toBe(1);
  });
});
