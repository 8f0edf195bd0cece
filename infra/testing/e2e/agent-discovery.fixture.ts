import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { RUNTIMES } from '../../../cli/testing/bundles.fixture.ts';
import type { Json } from './openapi-examples.fixture.ts';

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
