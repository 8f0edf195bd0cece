import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT, HostileRuns, HostileSite } from './hostile.fixture.ts';

describe('the requests of a run', () => {
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    site = await HostileSite.start();
    runs = new HostileRuns(site);
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
  });

  it('name the run to its origin, and the client to every server', async () => {
    const asked = new Map<string, IncomingHttpHeaders>();
    const note = (path: string, type: string, body: string, more: object = {}, status = 200) =>
      site.pages.set(path, ({ headers }, response) => {
        asked.set(`${headers.host?.replace(/^127.*/, 'origin')}${path}`, headers);
        const allowed = { 'Access-Control-Allow-Origin': '*' };
        response.writeHead(status, { 'Content-Type': type, ...allowed, ...more }).end(body);
      });
    note('/first', 'text/html', '', { Location: '/second', 'Set-Cookie': 'seen=1' }, 302);
    note(
      '/second',
      'text/html',
      '<script src=/own.js></script><script src=http://other.example/part.js></script>',
    );
    note('/own.js', 'text/javascript', 'fetch("/own.json");');
    note('/own.json', 'application/json', '{}');
    note(
      '/part.js',
      'text/javascript',
      'fetch("http://other.example/part.json").then(() => { location = "/last"; });',
    );
    note('/part.json', 'application/json', '{}');
    note(
      '/last',
      'text/html',
      '<h1>Done</h1><script>document.title = navigator.userAgent.split(" ").at(-2)</script>',
    );
    const { failure } = await runs.run('/first', {
      origin: site.loopbackOrigin,
      steps: [{ action: 'expect_title', text: 'SvcCheck/1' }],
    });
    expect(failure).toBeNull();
    const named = [...asked].filter(([, headers]) => headers['svc-check'] === CLIENT.runId);
    expect(named.map(([path]) => path)).toEqual(['origin/first', 'origin/second', 'origin/last']);
    expect(asked.get('origin/last')?.cookie).toBe('seen=1');
    expect(asked.get('other.example/part.json')).not.toHaveProperty('svc-check');
    expect(asked.size).toBe(7);
    for (const headers of asked.values()) {
      expect(headers['user-agent']).toMatch(
        /^Mozilla\/5\.0 .* Chrome\/[\d.]+ Safari\/537\.36 SvcCheck\/1 \(\+https:/,
      );
    }
  });
});
