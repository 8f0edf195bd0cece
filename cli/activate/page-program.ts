interface PageOptions {
  /** An allowed origin of the checklist. */
  readonly origin: string;
  readonly checklistId: string;
  /** The address of the ingest host. */
  readonly ingest: string;
}

/**
 * Returns the source of a small server: the page of a checklist over HTTPS on this machine, the route by which the widget gets its
 * session, and one that reports milestones. It takes the access from the variables of `svc run`.
 */
export function pageProgram({ origin, checklistId, ingest }: PageOptions): string {
  return `// A page with an onboarding checklist, and the backend that it needs. Start it with: svc run -- node page.mjs
// That gives it the credential in its environment. It serves ${origin} on this machine only.
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';

const ORIGIN = '${origin}';
const CHECKLIST = '${checklistId}';
const { PORT = '8443' } = process.env;
const { SVC_BASE_URL, SVC_INSTALLATION_ID, SVC_CREDENTIAL } = process.env;

// 1. The page loads the widget, and gives it a place and the path of step 2.
const PAGE = \`<!doctype html>
<html lang="en">
<title>Loading</title>
<h1>My app</h1>
<div id="first-steps"></div>
<script src="${ingest}/v1/activate/widget.v1.js"></script>
<script>
const place = document.getElementById('first-steps');
SvcActivate.mount(place, { sessionPath: '/api/onboarding/session' });
// For tests: the title says what the checklist shows, such as "1 of 2".
setInterval(() => {
  const shown = place.firstElementChild?.shadowRoot?.textContent.match(/\\\\d+ of \\\\d+/);
  if (shown) document.title = shown[0];
}, 100);
</script>\`;

// Your app derives this from its own user: HMAC-SHA256 of the user's id, with a secret of your backend.
const subjectDigest = createHash('sha256').update(SVC_INSTALLATION_ID + ' local user').digest('hex');

function ask(operation, body) {
  const path = \`/v1/installations/\${SVC_INSTALLATION_ID}/svcactivate/checklists/\${CHECKLIST}/\${operation}\`;
  return fetch(SVC_BASE_URL + path, {
    method: 'POST',
    headers: { authorization: \`Bearer \${SVC_CREDENTIAL}\`, 'content-type': 'application/json' },
    // 'test' until a person has claimed the workspace, then 'live'.
    body: JSON.stringify({ schemaVersion: '2026-09-07', subjectDigest, cohort: 'test', ...body }),
  });
}

async function answer({ method, url, headers }, response) {
  // 2. The widget asks for a session of the signed-in user.
  if (method === 'POST' && url === '/api/onboarding/session' && headers.origin === ORIGIN) {
    const session = await ask('sessions', { origin: ORIGIN });
    response.writeHead(session.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    return response.end(await session.text());
  }
  // 3. Your backend reports a milestone when the user has reached it. Here, /done/KEY stands for that.
  const [, eventKey] = /^\\/done\\/([a-z0-9_-]+)$/.exec(url) ?? [];
  if (method === 'GET' && eventKey) {
    const event = await ask('events', { eventKey, idempotencyKey: \`local-\${CHECKLIST}-\${eventKey}\` });
    if (!event.ok) return response.writeHead(event.status).end(await event.text());
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
}

// A certificate for this start, in memory only. Browsers need it, because the origin is HTTPS.
const { hostname } = new URL(ORIGIN);
const pem = execFileSync(
  'openssl',
  ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost',
    '-addext', \`subjectAltName=DNS:\${hostname}\`, '-keyout', '-', '-out', '-'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
);
const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+?-----END [A-Z ]*PRIVATE KEY-----/.exec(pem)[0];
const cert = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/.exec(pem)[0];
const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
const pin = createHash('sha256').update(spki).digest('base64');

const server = createServer({ key, cert }, (request, response) => {
  answer(request, response).catch((error) => response.writeHead(502).end(error.message));
});
// Another program has the port. Any other one will do, because the browser is told which.
server.once('error', () => server.listen(0, '127.0.0.1'));
server.listen(Number(PORT), '127.0.0.1');
server.on('listening', () => {
  const { port } = server.address();
  const asRoot = process.getuid?.() === 0 ? ' --no-sandbox' : '';
  console.log(\`Serving \${ORIGIN} on 127.0.0.1:\${port}. See it without eyes, with a browser that trusts this certificate only:
chromium --headless\${asRoot} --user-data-dir="$(mktemp -d)" --host-resolver-rules='MAP \${hostname} 127.0.0.1:\${port}' --ignore-certificate-errors-spki-list=\${pin} --virtual-time-budget=5000 --dump-dom \${ORIGIN}/done/STEP | grep '<title>'
Instead of --dump-dom and grep, --screenshot=page.png takes a picture.\`);
});
`;
}
