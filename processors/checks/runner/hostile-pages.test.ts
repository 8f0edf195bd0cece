import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostileRuns, HostileSite, killBrowsers, SITE } from './hostile.fixture.ts';

const FLOW_MS = 4_000;
const MEMORY_MAX_MB = 400;
const BYTES_MAX = 4 * 1_024 * 1_024;

describe('a hostile page', () => {
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    site = await HostileSite.start();
    runs = new HostileRuns(site, { memoryMaxMb: MEMORY_MAX_MB, bytesMax: BYTES_MAX });
    site.html('/fine', '<title>Fine</title><h1>Done</h1>');
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
    const own = readdirSync(tmpdir()).filter((name) => name.startsWith(`svc-runner-${process.pid}-`));
    expect(own).toEqual([]);
  });

  async function reasonOf(html: string): Promise<string | undefined> {
    site.html('/hostile', html);
    const { failure } = await runs.run('/hostile', { timeoutMs: FLOW_MS });
    // The next run does not notice.
    expect((await runs.run('/fine')).failure).toBeNull();
    return failure?.reason;
  }

  it('ends as timed_out if it never answers', async () => {
    site.pages.set('/never', () => {});
    expect((await runs.run('/never', { timeoutMs: 1_500 })).failure?.reason).toBe('navigation_timeout');
  }, 30_000);

  it('fails if it is blank', async () => {
    expect(await reasonOf('')).toBe('heading_missing');
  }, 60_000);

  it('passes if its heading appears late', async () => {
    const late = '<script>setTimeout(() => { document.body.innerHTML = "<h1>Done</h1>"; }, 1500)</script>';
    expect(await reasonOf(`<body>${late}`)).toBeUndefined();
  }, 60_000);

  it('fails for the script that failed before its heading', async () => {
    expect(await reasonOf('<script>throw new Error("broken")</script>')).toBe('script_error');
  }, 60_000);

  it('ends if a script never does', async () => {
    const reason = await reasonOf('<body><script>setTimeout(() => { for (;;) {} })</script>');
    // The page may stop answering before or after it counts as opened.
    expect(['heading_missing', 'navigation_timeout']).toContain(reason);
  }, 60_000);

  it('ends as crash if it takes memory for ever', async () => {
    const script = 'const all = []; setInterval(() => all.push(new Uint8Array(40e6).fill(1)), 20)';
    expect(await reasonOf(`<script>${script}</script>`)).toBe('crash');
  }, 60_000);

  it('ends as script_error if it opens dialogs in a loop', async () => {
    expect(await reasonOf('<script>setTimeout(() => { for (;;) alert("again"); })</script>')).toBe(
      'script_error',
    );
  }, 60_000);

  it('opens no other page, however many it asks for', async () => {
    const storm = 'for (let n = 0; n < 500; n += 1) window.open("/fine");';
    expect(await reasonOf(`<h1>Done</h1><script>${storm}</script>`)).toBeUndefined();
  }, 60_000);

  it('may have a thousand frames, within its time', async () => {
    const frames =
      'for (let n = 0; n < 1000; n += 1) document.body.append(document.createElement("iframe"));';
    expect([undefined, 'crash', 'heading_missing']).toContain(
      await reasonOf(`<body><h1>Done</h1><script>${frames}</script>`),
    );
  }, 60_000);

  it('ends as quota if it loads without an end', async () => {
    const chunk = Buffer.alloc(256 * 1_024);
    site.pages.set('/endless', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      const fill = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', fill);
      fill();
    });
    expect(await reasonOf('<body><script>fetch("/endless").then((r) => r.arrayBuffer())</script>')).toBe(
      'quota',
    );
  }, 60_000);

  it('fails if it is a download', async () => {
    site.pages.set('/download', (_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment' })
        .end('PK');
    });
    expect((await runs.run('/download')).failure?.reason).toBe('assertion');
  }, 60_000);

  it('fails with its status, and with the reason of the network', async () => {
    expect((await runs.run('/missing')).failure?.reason).toBe('http_status');
    site.names.set('site.example', [[]]);
    expect((await runs.run('/fine')).failure?.reason).toBe('dns');
    site.names.set('site.example', [['127.0.0.1']]);
    expect((await runs.run('/fine')).failure?.reason).toBe('blocked_egress');
    site.names.delete('site.example');
    expect((await runs.run('/fine')).finalUrl).toBe(`${SITE}/fine`);
  }, 60_000);

  it('ends as crash if its browser is killed', async () => {
    const asked = new Promise<void>((resolve) => {
      site.pages.set('/killed', () => resolve());
    });
    const run = runs.run('/killed');
    await asked;
    killBrowsers();
    expect((await run).failure?.reason).toBe('crash');
    expect((await runs.run('/fine')).failure).toBeNull();
  }, 60_000);

  it('ends as internal if the process of the runner ends', async () => {
    const asked = new Promise<void>((resolve) => {
      site.pages.set('/stopped', () => resolve());
    });
    const run = runs.run('/stopped');
    await asked;
    runs.stop();
    expect((await run).failure?.reason).toBe('internal');
  }, 60_000);
});
