import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const DEMO = join(import.meta.dirname, 'demo.ts');

/** The row that names the address of the service. */
const SERVICE = /starts without any data +(http:\S+)/;

const children: ChildProcess[] = [];
let temporaryFolder = '';

beforeEach(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'demo-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(temporaryFolder, { recursive: true });
});

describe('the demo', () => {
  // The gate runs the demo as a whole, with a browser.
  it('tells all but the check of a page on a machine without a browser', async () => {
    const { exitCode, output } = await run(['--exit'], {
      environment: { SVC_CHROMIUM: '/nowhere/chromium' },
    });
    expect(output).toContain('900 rows in 9 batches');
    expect(output).toContain('3 of 3: complete');
    expect(output).toMatch(/proves the origin of a page +not run: The service has no browser/);
    expect(output).toContain('Everything else held. Not run: 1 of');
    expect(exitCode).toBe(0);
  });

  it('stays up until it is interrupted, stops its server and leaves nothing behind', async () => {
    let session: unknown = null;
    const { exitCode, output } = await run([], {
      onOutput: (child, text) => {
        if (!text.includes('Press Ctrl-C') || session !== null) return;
        session = signIn(text).finally(() => child.kill('SIGINT'));
      },
    });
    expect(output).toContain('Press Ctrl-C');
    expect(await session).toMatchObject({ organizations: [{ name: 'Observatory', role: 'owner' }] });
    const [, application = ''] = /\n +(http:\S+) +a customer's application/.exec(output) ?? [];
    expect(output).toContain('In the application, sign in as ada@app.example with "ada at the example".');
    const [, address] = SERVICE.exec(output) ?? [];
    expect(exitCode).toBe(0);
    for (const url of [address, application]) await expect(fetch(`${url}/livez`)).rejects.toThrow();
    expect(await readdir(temporaryFolder)).toEqual([]);
  });

  it('ends quietly if it is interrupted before it names the addresses', async () => {
    const { exitCode, output } = await run([], {
      group: true,
      onOutput: ({ pid }, text) => {
        if (pid !== undefined && /Everything (else )?held\./.test(text) && !text.includes('Open '))
          process.kill(-pid, 'SIGINT');
      },
    });
    expect(output).not.toContain('The demo ended');
    expect(exitCode).toBe(0);
    expect(await readdir(temporaryFolder)).toEqual([]);
  });

  it('refuses an option that it does not know', async () => {
    const { exitCode, output } = await run(['--fast']);
    expect(output).toContain("'--fast'");
    expect(exitCode).toBe(2);
  });
});

/** Signs in with the account that the demo shows. */
async function signIn(output: string): Promise<unknown> {
  const [, url = ''] = SERVICE.exec(output) ?? [];
  const [, email, password] = /Sign in to the console as (\S+) with (\S+)\./.exec(output) ?? [];
  const response = await fetch(`${url}/v1/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  return await response.json();
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** True for a process group, which a Ctrl-C on a terminal interrupts as a whole. */
  readonly group?: boolean;
  readonly onOutput?: (child: ChildProcess, text: string) => void;
}

/** Runs the demo as a user would, and lets the test look at its output while it grows. */
async function run(options: string[], { environment = {}, group = false, onOutput }: RunOptions = {}) {
  const child = spawn(process.execPath, [DEMO, ...options], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, NO_COLOR: '1', TMPDIR: temporaryFolder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      onOutput?.(child, output);
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}
