import type { IncomingMessage, ServerResponse } from 'node:http';

/** A statement of a page that makes requests for `target`, one of the addresses of a canary, and of `host`, its host and port. */
const STATEMENTS = {
  fetch: "fetch(target, { mode: 'no-cors' }).catch(() => {});",
  'a kept request': "fetch(target, { mode: 'no-cors', keepalive: true }).catch(() => {});",
  XMLHttpRequest: "const x = new XMLHttpRequest(); x.open('POST', target); x.send('x');",
  'a beacon': "navigator.sendBeacon(target, 'x');",
  EventSource: 'new EventSource(target);',
  WebSocket: "new WebSocket(target.replace('http', 'ws'));",
  WebTransport: "new WebTransport(target.replace('http:', 'https:')).ready.catch(() => {});",
  STUN: "const peer = new RTCPeerConnection({ iceServers: [{ urls: ['stun:' + host] }] }); peers.push(peer); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));",
  'TURN over TCP':
    "const peer = new RTCPeerConnection({ iceServers: [{ urls: ['turn:' + host + '?transport=tcp'], username: 'u', credential: 'c' }] }); peers.push(peer); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));",
  'an image': "add('img', { src: target });",
  'an image set': "add('img', { srcset: target + 'a 1x' });",
  'a script': "add('script', { src: target });",
  'a module': "add('script', { type: 'module', src: target });",
  'an import': 'import(target).catch(() => {});',
  'a frame': "add('iframe', { src: target });",
  'a frame of a document': "add('iframe', { srcdoc: '<img src=\"' + target + '\">' });",
  'a frame of a data address':
    "add('iframe', { src: 'data:text/html,' + encodeURIComponent('<img src=\"' + target + '\">') });",
  'a frame that refreshes':
    "add('iframe', { srcdoc: '<meta http-equiv=refresh content=\"0;url=' + target + '\">' });",
  'a redirect of a frame': "add('iframe', { src: '/redirect?' + encodeURIComponent(target) });",
  'a redirect of a request':
    "fetch('/redirect?' + encodeURIComponent(target), { mode: 'no-cors' }).catch(() => {});",
  'a chain of redirects':
    "fetch('/redirect?' + encodeURIComponent('/redirect?' + encodeURIComponent(target)), { mode: 'no-cors' }).catch(() => {});",
  'an object': "add('object', { data: target });",
  'an embedded page': "add('embed', { src: target });",
  'a style sheet': "add('link', { rel: 'stylesheet', href: target });",
  'an import of a style sheet': "add('style', { textContent: '@import \"' + target + '\";' });",
  'a background': "add('p', { textContent: 'x' }).style.backgroundImage = 'url(' + target + ')';",
  'a font': "new FontFace('f' + Math.random(), 'url(' + target + ')').load().catch(() => {});",
  'a drawing': "add('div', { innerHTML: '<svg><image href=\"' + target + '\"/></svg>' });",
  'a video': "add('video', { src: target, autoplay: true, muted: true });",
  'a poster': "add('video', { poster: target });",
  'a sound': "add('audio', { src: target, preload: 'auto' });",
  'a preload': "add('link', { rel: 'preload', as: 'image', href: target });",
  'a preloaded module': "add('link', { rel: 'modulepreload', href: target });",
  'a prefetch': "add('link', { rel: 'prefetch', href: target });",
  'a preconnect': "add('link', { rel: 'preconnect', href: target });",
  'a form in a frame':
    "const name = 'f' + Math.random(); add('iframe', { name }); add('form', { action: target, method: 'post', target: name }).submit();",
  'a popup': 'window.open(target);',
  'a worker':
    "new Worker(script('fetch(' + JSON.stringify(target) + ', { mode: \"no-cors\" }).catch(() => {})'));",
  'a script of a worker': "new Worker(script('importScripts(' + JSON.stringify(target) + ')'));",
  'a socket of a worker':
    "new Worker(script('new WebSocket(' + JSON.stringify(target.replace('http', 'ws')) + ')'));",
  'a shared worker':
    "new SharedWorker(script('fetch(' + JSON.stringify(target) + ', { mode: \"no-cors\" }).catch(() => {})'));",
  'a service worker':
    "navigator.serviceWorker.register('/worker?' + encodeURIComponent(target), { scope: '/' + Math.random() }).catch(() => {});",
  'a link with a ping':
    "const name = 'f' + Math.random(); add('iframe', { name }); add('a', { href: '/empty', target: name, ping: target }).click();",
  'a header that preloads': "add('iframe', { src: '/linked?' + encodeURIComponent(target) });",
  'a header that refreshes': "add('iframe', { src: '/refreshed?' + encodeURIComponent(target) });",
  'a report of a violation': "add('iframe', { src: '/report?' + encodeURIComponent(target) });",
} as const;

/** The ways in which a page asks for something of a server. */
export type Try = keyof typeof STATEMENTS;

export const TRIES = Object.keys(STATEMENTS) as Try[];

const HELPERS = `
  const peers = [];
  const add = (tag, members) => document.body.appendChild(Object.assign(document.createElement(tag), members));
  const script = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
`;

/** The script of a page that makes tries at each host, with the port of the canary of the try. */
export function scriptOf(
  names: readonly Try[],
  hosts: readonly string[],
  portOf: (name: Try) => number,
): string {
  const tries = names.flatMap((name) =>
    hosts.map((hostname) => {
      const host = `${hostname}:${portOf(name)}`;
      const target = JSON.stringify(`http://${host}/`);
      return `try { const host = ${JSON.stringify(host)}, target = ${target}; ${STATEMENTS[name]} } catch {}`;
    }),
  );
  return [HELPERS, ...tries].join('\n');
}

type Answer = (target: string, response: ServerResponse) => void;

const HTML = { 'Content-Type': 'text/html' };

/** The answers that a site of tries gives beside its page. The query of each address is the target. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/empty': (_target, response) => response.writeHead(200, HTML).end(),
  '/redirect': (target, response) => response.writeHead(302, { Location: target }).end(),
  '/linked': (target, response) =>
    response.writeHead(200, { ...HTML, Link: `<${target}>; rel=preload; as=image` }).end(),
  '/refreshed': (target, response) => response.writeHead(200, { ...HTML, Refresh: `0;url=${target}` }).end(),
  '/report': (target, response) => {
    const policy = `img-src 'none'; report-uri ${target}`;
    response.writeHead(200, { ...HTML, 'Content-Security-Policy': policy }).end('<img src="/x">');
  },
  '/worker': (target, response) => {
    const headers = { 'Content-Type': 'text/javascript', 'Service-Worker-Allowed': '/' };
    const script = `fetch(${JSON.stringify(target)}, { mode: 'no-cors' }).catch(() => {});`;
    response.writeHead(200, headers).end(script);
  },
};

/** Answers what tries ask of the site of their page. Returns false for an address that is not of them. */
export function answerTry(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const answer = ANSWERS[path];
  answer?.(decodeURIComponent(query), response);
  return answer !== undefined;
}
