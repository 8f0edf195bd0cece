import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { bundleOf, ProjectDirectory, RUNTIMES } from '../testing/bundles.fixture.ts';

const VERSION = '0.4.0';
const SECRET = /svc_(project|provision)_[0-9A-Za-z]{8}/;

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(RUNTIMES)('svc mcp on $runtime', (runtime) => {
  let project: ProjectDirectory;
  beforeEach(async () => {
    project = new ProjectDirectory(runtime, VERSION);
    await project.json([
      ...['workspace', 'create', '--name', 'Tools', '--products', 'svcimport'],
      ...['--base-url', service.url],
    ]);
  });
  afterEach(() => project.dispose());

  const environment = () => ({ PATH: process.env['PATH'] ?? '', HOME: project.home });
  const start = () =>
    spawn(runtime.program, [bundleOf(VERSION), 'mcp'], { cwd: project.path, env: environment() });

  it.each(['legacy', 'auto'] as const)('serves the official client in mode %s', async (mode) => {
    const transport = new StdioClientTransport({
      command: runtime.program,
      args: [bundleOf(VERSION), 'mcp'],
      cwd: project.path,
      env: environment(),
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('discover_limits');
    const [limits, refused] = await Promise.all([
      client.callTool({ name: 'discover_limits', arguments: {} }),
      client.callTool({ name: 'read_counts', arguments: { importId: 'no id' } }),
    ]);
    expect(limits.structuredContent).toMatchObject({ workspace: { name: 'Tools' } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify([tools, limits, refused])).not.toMatch(SECRET);
    await client.close();
  });

  it('answers each line in one line, and ends when its input ends', async () => {
    const server = start();
    let stdout = '';
    let stderr = '';
    server.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    server.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'two', method: 'resources/list' },
    ];
    server.stdin.end(`${lines.map((line) => JSON.stringify(line)).join('\n')}\nno JSON\n\n[]`);
    const [code] = await once(server, 'close');
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, stderr]).toEqual([0, '']);
    expect(answers).toHaveLength(4);
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 1, result: expect.any(Object) },
        expect.objectContaining({ id: 'two', error: expect.objectContaining({ code: -32_601 }) }),
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
      ]),
    );
  });

  it('answers a message that is too long under its id, whether it stands first or last', async () => {
    const server = start();
    const chunks: Buffer[] = [];
    server.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const params = { id: 7, text: 'x'.repeat(1_024 * 1_024) };
    const messages = [
      { jsonrpc: '2.0', id: 'first', method: 'tools/call', params },
      { method: 'tools/call', params, jsonrpc: '2.0', id: 9 },
      { method: 'tools/call', jsonrpc: '2.0', params },
    ];
    server.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await once(server, 'close');
    const answers = Buffer.concat(chunks)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([9, 'first', null]);
    expect(answers.map(({ error }) => error.code)).toEqual([-32_700, -32_700, -32_700]);
  });

  it('answers a refusal of the service with its code and the command that helps', async () => {
    const server = start();
    const chunks: Buffer[] = [];
    server.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    server.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(300) })}\n`);
    await once(server, 'close');
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
      id: 1,
      error: {
        code: -32_000,
        message: expect.stringContaining('body.method'),
        data: { code: 'bad_request', requestId: expect.stringMatching(/^req_/), next: expect.any(String) },
      },
    });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s with %i while it waits for a message', async (signal, exitCode) => {
    const server = start();
    // Its first answer shows that it waits for the next message.
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    await once(server.stdout, 'data');
    server.kill(signal);
    const [code] = await once(server, 'close');
    expect(code).toBe(exitCode);
  });

  it('says what is missing in a directory without a workspace', async () => {
    const other = new ProjectDirectory(runtime, VERSION);
    const failed = await other.failure(['mcp']);
    expect(failed).toMatchObject({ code: 'no_workspace', exitCode: 4 });
    other.dispose();
  });
});
