import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowStep } from '../../../schemas/checks/configuration.ts';
import type { FailureReason } from '../../../schemas/checks/results.ts';
import { HostileRuns, HostileSite, SITE } from './hostile.fixture.ts';

const to = (path: string): FlowStep => ({ action: 'goto', url: `${SITE}${path}` });
const heading = (text: string): FlowStep => ({ action: 'expect_heading', text });
const status = (expected: number): FlowStep => ({ action: 'expect_status', status: expected });

/** Answers with a status and no document, by path. */
const EMPTY = { '/204': 204, '/205': 205, '/304': 304, '/404': 404, '/407': 407 };

const LONG = 'a'.repeat(9_000);

/** Pages that lead elsewhere by what they hold. */
const PAGES = {
  '/fine': '<title>Fine</title><h1>Done</h1>',
  '/to-500': '<h1>Done</h1><script>location.replace("/500")</script>',
  '/to-500-by-meta': '<meta http-equiv=refresh content="0;url=/500"><h1>Done</h1>',
  '/to-500-twice': '<script>location = "/to-500-by-meta"</script>',
  '/to-404': '<script>location = "/404"</script>',
  '/to-204': '<h1>Done</h1><script>onload = () => { location = "/204"; }</script>',
  '/to-silence': '<script>location = "/silent"</script>',
  '/to-long-silence': `<script>location = "/silent?${LONG}"</script>`,
  '/to-fragment': '<h1>Done</h1><script>location.hash = "#part"</script>',
  '/to-history': '<h1>Done</h1><script>history.pushState(null, "", "/inside?of=it")</script>',
  '/to-blob': `<script>
    location = URL.createObjectURL(new Blob(["<h1>Done</h1>"], { type: "text/html" }));
  </script>`,
  '/to-blank': '<script>location = "about:blank"</script>',
  '/to-foreign': '<h1>Done</h1><script>location = "http://other.example/"</script>',
};

/** A document of one empty page. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>`;

interface Verdict {
  readonly reason: FailureReason | null;
  readonly finalUrl: string | null;
}
const passed = (path: string): Verdict => ({ reason: null, finalUrl: `${SITE}${path}` });
const failed = (reason: FailureReason, path: string | null): Verdict => ({
  reason,
  finalUrl: path === null ? null : `${SITE}${path}`,
});

const VERDICTS: readonly (readonly [what: string, path: string, steps: readonly FlowStep[], Verdict])[] = [
  ['a page that is answered', '/fine', [], passed('/fine')],
  ['an error page', '/500', [heading('Done')], failed('http_status', '/500')],
  ['an error page that is expected', '/500', [heading('Done'), status(500)], passed('/500')],
  ['an error page where another is expected', '/500', [status(404)], failed('http_status', '/500')],
  [
    'an error page after one that is expected',
    '/404',
    [status(404), to('/500')],
    failed('http_status', '/500'),
  ],
  ['a script that leads to an error page', '/to-500', [heading('Done')], failed('http_status', '/500')],
  ['the status before a script leads on', '/to-500', [status(200)], failed('http_status', '/500')],
  ['the status after a script led on', '/to-500', [heading('Done'), status(500)], passed('/500')],
  ['a refresh that leads to an error page', '/to-500-by-meta', [], failed('http_status', '/500')],
  ['the status after a refresh', '/to-500-by-meta', [status(500)], passed('/500')],
  ['a way over two pages to an error page', '/to-500-twice', [], failed('http_status', '/500')],
  ['an error page without a body', '/404', [], failed('http_status', '/404')],
  ['an error page without a body that is expected', '/404', [status(404)], passed('/404')],
  ['the same after another page', '/fine', [heading('Done'), to('/404'), status(404)], passed('/404')],
  ['the same after a script', '/to-404', [status(404)], passed('/404')],
  ['an answer without content', '/204', [], passed('/204')],
  ['the same as it is expected', '/204', [status(204)], passed('/204')],
  ['another answer without content', '/205', [status(205)], passed('/205')],
  ['an answer that nothing has changed', '/304', [status(304)], passed('/304')],
  ['a heading of the page before', '/fine', [to('/204'), heading('Done')], failed('heading_missing', '/204')],
  [
    'a script that gets an answer without content',
    '/to-204',
    [heading('Done'), status(200)],
    passed('/to-204'),
  ],
  ['a page behind a password', '/401', [heading('Done')], failed('http_status', '/401')],
  ['the same as it is expected', '/401', [heading('Done'), status(401)], passed('/401')],
  ['a server that asks like a proxy', '/407', [status(407)], passed('/407')],
  ['another fragment', '/fine#a', [to('/fine#b'), heading('Done'), status(200)], passed('/fine')],
  ['a fragment after none', '/fine', [to('/fine#b'), heading('Done')], passed('/fine')],
  ['a script that leads to a fragment', '/to-fragment', [status(200)], passed('/to-fragment')],
  ['a script that changes the address', '/to-history', [heading('Done')], passed('/inside')],
  ['a script that leads to a server without an answer', '/to-silence', [], failed('connect', null)],
  ['the same at a long address', '/to-long-silence', [], failed('connect', null)],
  ['a page that turns into a blob', '/to-blob', [heading('Done')], failed('blocked_egress', null)],
  ['a page that turns blank', '/to-blank', [], failed('blocked_egress', null)],
  ['a script that leads to another origin', '/to-foreign', [heading('Done')], failed('blocked_egress', null)],
];

describe('the verdict of a run', () => {
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    site = await HostileSite.start();
    runs = new HostileRuns(site);
    for (const [path, html] of Object.entries(PAGES)) site.html(path, html);
    for (const [path, answered] of Object.entries(EMPTY)) {
      site.pages.set(path, (_request, response) =>
        response.writeHead(answered, { 'Content-Length': 0 }).end(),
      );
    }
    site.pages.set('/500', (_request, response) =>
      response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>Done</h1>'),
    );
    site.pages.set('/401', (_request, response) =>
      response
        .writeHead(401, { 'Content-Type': 'text/html', 'WWW-Authenticate': 'Basic realm="site"' })
        .end('<h1>Done</h1>'),
    );
    for (const path of ['/silent', `/silent?${LONG}`]) {
      site.pages.set(path, (_request, response) => response.destroy());
    }
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
  });

  it.each(VERDICTS)('is about the page at the end: %s', async (_what, path, steps, verdict) => {
    const { failure, finalUrl } = await runs.run(path, { steps });
    expect({ reason: failure?.reason ?? null, finalUrl, message: failure?.message }).toMatchObject(verdict);
  });

  it('is about a page that the browser fetched ahead', async () => {
    const fetched = Promise.withResolvers<void>();
    const rules = '{ "prefetch": [{ "urls": ["/ahead"], "eagerness": "immediate" }] }';
    site.html(
      '/fetching-ahead',
      `<script type=speculationrules>${rules}</script>
      <script>fetch('/fetched').then(() => { location = '/ahead'; })</script>`,
    );
    site.pages.set('/ahead', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Done</h1>');
      response.on('finish', () => fetched.resolve());
    });
    site.pages.set('/fetched', (_request, response) => fetched.promise.then(() => response.end()));
    const { loopbackOrigin: origin } = site;
    const { failure, finalUrl } = await runs.run('/fetching-ahead', { origin });
    expect({ failure, finalUrl }).toEqual({ failure: null, finalUrl: `${origin}/ahead` });
  });

  it('says where an error comes from', async () => {
    const { failure } = await runs.run('/to-500', { steps: [heading('Done')] });
    expect(failure?.message).toBe('Page: The page led to another one, which answered with the status 500.');
  });

  it.each([
    ['/204', [], 'No visible heading "Done". The answer has the status 204 and no page.'],
    ['/404', [status(404)], 'No visible heading "Done". The answer has the status 404 and no page.'],
    ['/pdf', [], 'No visible heading "Done". The answer is application/pdf, not HTML.'],
    ['/json', [], 'No visible heading "Done". The answer is application/json, not HTML.'],
    ['/robots', [], 'No visible heading "Done". Visible heading: "Are you a robot?".'],
  ])('says what was seen in place of a heading: %s', async (path, others, message) => {
    const typed = (type: string, body: string) =>
      site.pages.set(path, (_request, response) =>
        response.writeHead(200, { 'Content-Type': type }).end(body),
      );
    if (path === '/pdf') typed('application/pdf', PDF);
    if (path === '/json') typed('application/json', '{"h1":"Done"}');
    if (path === '/robots') typed('text/html', '<h1>Are you a robot?</h1>');
    const { failure, flows } = await runs.run(path, { steps: [heading('Done'), ...others] });
    expect(failure).toEqual({ reason: 'heading_missing', message: `Page: ${message}` });
    expect(flows[0]?.steps[1]?.message).toBe(message);
  });
});
