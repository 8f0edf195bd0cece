import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../service-process/service-process.ts';
import { commandOf } from './process-table.ts';
import { Server, type ServerSpec } from './server.ts';

/** A server that answers on its port with the text of its configuration file. */
const PROGRAM = `
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
console.log('started');
createServer((_, response) => response.end(readFileSync('text'))).listen(Number(process.argv[1]), '127.0.0.1');
`;

let folder: string;
let port: number;
let server: Server;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-'));
  port = await freePort();
  server = new Server(specOf());
});

afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

function specOf(changes: Partial<ServerSpec> = {}): ServerSpec {
  return {
    name: 'redis',
    address: `http://127.0.0.1:${port}`,
    ports: [port],
    folder: join(folder, 'own'),
    logFile: join(folder, 'logs', 'own.log'),
    files: { text: 'version 1' },
    prepare: async () => [process.execPath, '-e', PROGRAM, String(port), join(folder, 'own')],
    probe: async () => (await fetch(`http://127.0.0.1:${port}`)).text(),
    ...changes,
  };
}

describe('a server', () => {
  it('answers once it is started, and is found by its folder', async () => {
    expect(server.pid).toBeNull();
    expect(await server.start()).toBe('version 1');
    const other = new Server(specOf());
    expect(other.pid).toBe(server.pid);
    await other.stop();
    expect(server.pid).toBeNull();
  });

  it('is left as it is when it is started again', async () => {
    await server.start();
    const { pid } = server;
    expect(await server.start()).toBe('version 1');
    expect(server.pid).toBe(pid);
  });

  it('is gone when it was killed, and comes back', async () => {
    await server.start();
    const { pid } = server;
    await server.kill();
    expect(commandOf(pid ?? 0)).toBeNull();
    await expect(server.kill()).rejects.toThrow('sending SIGKILL to redis: it does not run');
    expect(await server.start()).toBe('version 1');
    expect(server.pid).not.toBe(pid);
  });

  it('is stopped even while SIGSTOP holds it', async () => {
    await server.start();
    await server.kill('SIGSTOP');
    await expect(fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    await server.stop();
    expect(server.pid).toBeNull();
  });

  it('takes other settings only after a stop', async () => {
    await server.start();
    const changed = new Server(specOf({ files: { text: 'version 2' } }));
    await expect(changed.start()).rejects.toThrow(/redis: it runs with other settings; stop it first/);
    expect(await server.spec.probe()).toBe('version 1');
    await changed.stop();
    expect(await changed.start()).toBe('version 2');
  });

  it('does not take another program at its port for itself', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(server.start()).rejects.toThrow(`port ${port} is taken`);
    await expect(server.start()).rejects.toThrow(/set SVC_CLUSTER_REDIS_PORT/);
    expect(server.pid).toBeNull();
    other.close();
  });

  it('shows the end of the log when it ends instead of answering', async () => {
    const program = 'console.log("no memory"); process.exit(3)';
    server = new Server(
      specOf({ prepare: async () => [process.execPath, '-e', program, join(folder, 'own')] }),
    );
    await expect(server.start()).rejects.toThrow(/starting redis: see the end of .*own\.log:\nno memory/);
  });

  it('says so when the program cannot be started', async () => {
    server = new Server(specOf({ prepare: async () => [join(folder, 'missing')] }));
    await expect(server.start()).rejects.toThrow(/starting redis/);
    await vi.waitFor(() => expect(server.lastLines()).toMatch(/ENOENT/));
  });

  it('leaves a program alone that has got its pid since', async () => {
    await server.start();
    const pid = server.pid ?? 0;
    await writeFile(join(folder, 'own', 'pid'), String(process.pid));
    expect(server.pid).toBeNull();
    await server.stop();
    await writeFile(join(folder, 'own', 'pid'), String(pid));
    expect(server.pid).toBe(pid);
  });

  it('keeps its log over restarts', async () => {
    await server.start();
    await server.restart();
    expect(await readFile(server.spec.logFile, 'utf8')).toBe('started\nstarted\n');
  });
});
