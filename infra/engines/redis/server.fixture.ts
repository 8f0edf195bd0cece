import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';

const WAIT = { timeout: 90_000, interval: 10 };

/** A separate server for a test, so that it can be restarted and flushed. */
export class RedisServer {
  readonly port: number;
  readonly #settings: readonly string[];
  #child: ChildProcess | null = null;

  /** @param settings arguments for `redis-server`, such as `--dir`; without them no data outlives the process */
  constructor(port: number, settings: readonly string[] = []) {
    this.port = port;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const own = ['--port', String(this.port), '--save', '', '--bind', '127.0.0.1', ...this.#settings];
    const child = spawn('redis-server', own, { stdio: 'ignore' });
    this.#child = child;
    await vi.waitFor(async () => expect(await this.command('PING')).toBe('PONG'), WAIT);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }
}
