import { readdirSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROOM_PRIORITY } from './browser-room.ts';
import { browserIds, HostileRuns, HostileSite, killBrowsers } from './hostile.fixture.ts';

/** Flows of pages that stop answering. The others have the time of a busy machine. */
const SHORT_FLOW_MS = 4_000;
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

  async function reasonOf(html: string, timeoutMs?: number): Promise<string | undefined> {
    site.html('/hostile', html);
    const { failure } = await runs.run('/hostile', timeoutMs === undefined ? {} : { timeoutMs });
    return failure?.reason;
  }

  /** Answers a path without an end. */
  function endless(path: string, type: string, headers: Record<string, string> = {}): void {
    const chunk = Buffer.alloc(256 * 1_024, ' ');
    site.pages.set(path, (_request, response) => {
      response.writeHead(200, { 'Content-Type': type, ...headers });
      const fill = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', fill);
      fill();
    });
  }

  // The next run does not notice what was in the one before.
  afterEach(async () => {
    expect((await runs.run('/fine')).failure).toBeNull();
  });

  it('gets a processor after the service', async () => {
    await runs.run('/fine');
    const lowered = Math.max(getPriority(), ROOM_PRIORITY);
    expect(new Set(browserIds().map((pid) => getPriority(pid)))).toEqual(new Set([lowered]));
  });

  it('ends if a script never does', async () => {
    const script = 'setTimeout(() => { for (;;) {} })';
    const reason = await reasonOf(`<body><script>${script}</script>`, SHORT_FLOW_MS);
    // The page may stop answering before or after it counts as opened.
    expect(['heading_missing', 'navigation_timeout']).toContain(reason);
  });

  it('ends as crash if it takes memory for ever', async () => {
    const script = 'const all = []; setInterval(() => all.push(new Uint8Array(40e6).fill(1)), 20)';
    expect(await reasonOf(`<script>${script}</script>`)).toBe('crash');
  });

  it.each(['alert', 'confirm', 'prompt'])(
    'ends as script_error if it opens one dialog after the other: %s',
    async (name) => {
      const loop = `setTimeout(() => { for (;;) ${name}("again"); })`;
      expect(await reasonOf(`<script>${loop}</script>`)).toBe('script_error');
    },
  );

  it('passes although it is too large for a picture', async () => {
    const grow = 'document.body.style.height = "10000000px"';
    expect(await reasonOf(`<body><h1>Done</h1><script>${grow}</script>`)).toBeUndefined();
  });

  it.each([
    ['prints for ever', 'setInterval(() => print(), 1)'],
    ['writes to its console for ever', 'setInterval(() => console.error("x".repeat(1e5)), 1)'],
    [
      'adds to its history for ever',
      'let n = 0; setInterval(() => history.pushState(n, "", "#" + (n += 1)), 1)',
    ],
    ['opens page after page', 'for (let n = 0; n < 500; n += 1) window.open("/fine");'],
    ['loads itself again for ever', 'setTimeout(() => location.reload())'],
    [
      'starts two hundred workers',
      'const code = URL.createObjectURL(new Blob(["for (;;) {}"])); for (let n = 0; n < 200; n += 1) new Worker(code)',
    ],
    [
      'has a thousand frames',
      'for (let n = 0; n < 1000; n += 1) document.body.append(document.createElement("iframe"))',
    ],
  ])('ends within its time if it %s', async (_what, script) => {
    const reason = await reasonOf(`<body><h1>Done</h1><script>${script}</script>`, SHORT_FLOW_MS);
    expect([undefined, 'crash', 'quota', 'heading_missing', 'navigation_timeout']).toContain(reason);
  });

  it.each([
    ['long lines', 'const line = "x".repeat(200_000); setInterval(() => console.log(line), 1);'],
    ['a worker', `new Worker(URL.createObjectURL(new Blob(['for (;;) console.log({}, [1])'])));`],
    ['errors', 'setInterval(() => { throw new Error("x".repeat(200_000)); }, 1);'],
    ['titles', 'setInterval(() => { document.title = "x".repeat(20_000_000) + Math.random(); }, 1);'],
  ])('leaves the process of the runner as it was, whatever it says: %s', async (_name, script) => {
    const before = process.memoryUsage.rss();
    const delays = monitorEventLoopDelay({ resolution: 1 });
    let most = 0;
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 50);
    delays.enable();
    await reasonOf(`<body><script>${script}</script>`, SHORT_FLOW_MS);
    delays.disable();
    clearInterval(looks);
    expect(most - before).toBeLessThan(100 * 1_024 * 1_024);
    // The runner shares the processor with the page: the bound is for what the page makes it do.
    expect(delays.percentile(50) / 1e6).toBeLessThan(50);
  });

  it('ends as quota if it loads without an end', async () => {
    endless('/endless', 'application/octet-stream');
    expect(await reasonOf('<body><script>fetch("/endless").then((r) => r.arrayBuffer())</script>')).toBe(
      'quota',
    );
    endless('/long', 'text/html');
    expect((await runs.run('/long')).failure?.reason).toBe('quota');
    endless('/archive', 'application/zip', { 'Content-Disposition': 'attachment' });
    expect(['assertion', 'quota']).toContain((await runs.run('/archive')).failure?.reason);
  });

  it('ends as crash if its browser is killed', async () => {
    const asked = new Promise<void>((resolve) => {
      site.pages.set('/killed', () => resolve());
    });
    const run = runs.run('/killed');
    await asked;
    killBrowsers();
    expect((await run).failure?.reason).toBe('crash');
  });
});
