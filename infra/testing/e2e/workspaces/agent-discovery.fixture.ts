import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { RUNTIMES } from '../../../../cli/testing/bundles.fixture.ts';
import type { Json } from '../documents/openapi-examples.fixture.ts';

/** A request as the service describes it. */
interface Step {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The members that a script has learnt from the answers to its requests, or from the output of its commands. */
export interface Followed {
  /** Requests and commands of the script, the look at the base address included. */
  readonly calls: number;
  /** Members of all answers by name; a later answer replaces those of an earlier one. */
  readonly members: Readonly<Record<string, Json>>;
  /** Milliseconds from the first request to the last answer. */
  readonly tookMs: number;
}

/** Runs the commands in the JSON that a base address answers, in an empty directory with Bun in the path. */
export async function followCommands(base: string): Promise<Followed> {
  const startedAt = performance.now();
  const response = await fetch(base, { headers: { accept: 'application/json' } });
  const { agents } = (await response.json()) as { readonly agents: { readonly firstCommands: string[] } };
  const members: Record<string, Json> = {};
  const cwd = mkdtempSync(join(tmpdir(), 'svc-agent-'));
  const [{ program }] = RUNTIMES;
  const env = { PATH: `${dirname(program)}:${process.env['PATH']}`, HOME: cwd };
  try {
    for (const line of agents.firstCommands) {
      if (await download(line, cwd)) continue;
      const { stdout } = await promisify(execFile)('sh', ['-c', filledFrom(members)(line)], { cwd, env });
      if (line.endsWith(' --json')) Object.assign(members, JSON.parse(stdout));
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  return { calls: agents.firstCommands.length + 1, members, tookMs: performance.now() - startedAt };
}

/** The page of a checklist that a reader of the guide has made. */
export interface FollowedPage {
  /** Commands from the address to the sight of the page, the reading of the guide included. */
  readonly calls: number;
  /** Output of the commands. */
  readonly printed: string;
  /** Output of the browser. */
  readonly seen: string;
}

/**
 * Runs the commands of the guide that end with a page, in an empty directory.
 *
 * @param chromium the path of a browser, which the commands call `chromium`
 * @param event the step that the browser reports by opening a page
 */
export async function followPage(base: string, chromium: string, event: string): Promise<FollowedPage> {
  const text = await (await fetch(`${base}/llms.txt`)).text();
  const [first = [], page = []] = [...text.matchAll(/```sh\n(.+?)\n```/gs)].map(([, lines = '']) =>
    lines.split('\n'),
  );
  const commands = [...first.slice(0, -1), ...page];
  const cwd = mkdtempSync(join(tmpdir(), 'svc-agent-'));
  mkdirSync(join(cwd, 'bin'));
  symlinkSync(chromium, join(cwd, 'bin/chromium'));
  const [{ program }] = RUNTIMES;
  const path = [join(cwd, 'bin'), dirname(program), process.env['PATH']].join(':');
  const env = { PATH: path, HOME: cwd, PORT: '0' };
  const members: Record<string, Json> = {};
  let printed = '';
  let served: ChildProcess | null = null;
  try {
    for (const line of commands.slice(0, -1)) {
      if (await download(line, cwd)) continue;
      const { stdout } = await promisify(execFile)('sh', ['-c', filledFrom(members)(line)], { cwd, env });
      printed += stdout;
      if (line.endsWith(' --json')) Object.assign(members, JSON.parse(stdout));
    }
    served = spawn('sh', ['-c', `exec ${commands.at(-1)}`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const told = await untilTold(served, /^chromium .*$/m);
    const look = told.replace('/done/STEP', `/done/${event}`);
    const { stdout: seen } = await promisify(execFile)('sh', ['-c', look], { cwd, env });
    return { calls: 1 + commands.length + 1, printed: printed + told, seen };
  } finally {
    served?.kill();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Resolves with the text that a program prints and a pattern matches. */
async function untilTold(program: ChildProcess, pattern: RegExp): Promise<string> {
  let printed = '';
  for await (const chunk of program.stdout ?? []) {
    printed += String(chunk);
    const [found] = pattern.exec(printed) ?? [];
    // The line is whole once another one follows.
    if (found !== undefined && printed.includes(`${found}\n`)) return found;
  }
  throw new Error(`waiting for ${pattern}: the program ended with ${printed}`);
}

/** Does what curl does, on a machine without it. Returns false for another command. */
async function download(line: string, folder: string): Promise<boolean> {
  const [, url, name] = /^curl -fsSO (\S+\/(\S+))$/.exec(line) ?? [];
  if (url === undefined || name === undefined) return false;
  writeFileSync(join(folder, name), await (await fetch(url)).text());
  return true;
}

/** Follows the steps in the JSON that a base address answers. */
export async function followJson(base: string): Promise<Followed> {
  const startedAt = performance.now();
  const response = await fetch(base, { headers: { accept: 'application/json' } });
  const { agents } = (await response.json()) as {
    readonly agents: { readonly steps: readonly (Omit<Step, 'body'> & { readonly body: Json })[] };
  };
  const steps = agents.steps.map((step) => ({ ...step, body: JSON.stringify(step.body) }));
  return await follow(steps, startedAt);
}

/** A fence with a request: its first line, its headers, and after an empty line its body. */
const REQUEST = /^```http\n(?<method>[A-Z]+) (?<url>\S+)\n(?<headers>(?:[^\n]+\n)*)\n(?<body>.*)\n```$/gm;

/** Follows the requests in the text that a base address answers. */
export async function followText(base: string): Promise<Followed> {
  const startedAt = performance.now();
  const response = await fetch(base, { headers: { accept: 'text/plain' } });
  const steps = [...(await response.text()).matchAll(REQUEST)].map(({ groups = {} }): Step => {
    const { method = '', url = '', headers = '', body = '' } = groups;
    const lines = headers.trim().split('\n');
    return { method, url, headers: Object.fromEntries(lines.map((line) => line.split(': '))), body };
  });
  return await follow(steps, startedAt);
}

async function follow(steps: readonly Step[], startedAt: number): Promise<Followed> {
  const members: Record<string, Json> = {};
  const filled = filledFrom(members);
  for (const { method, url, headers, body } of steps) {
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));
    const response = await fetch(filled(url), { method, headers: sent, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`sending ${method} ${url}: ${response.status} ${text}`);
    Object.assign(members, JSON.parse(text));
  }
  return { calls: steps.length + 1, members, tookMs: performance.now() - startedAt };
}

/** Puts members of earlier answers in the place of their names in braces. */
function filledFrom(members: Readonly<Record<string, Json>>): (text: string) => string {
  return (text) =>
    text.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => {
      const value = members[name];
      if (typeof value !== 'string') throw new Error(`filling in ${name}: no earlier answer has it`);
      return value;
    });
}
