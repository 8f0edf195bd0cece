// Runs every benchmark of package.json in its quick form.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readCommandLine } from '../../tools/command-line.ts';

const HELP = `
npm run test:benches

Runs every benchmark of package.json with --quick, one after the other. It proves that each one works; the figures mean nothing.
`;

const ROOT = join(import.meta.dirname, '../../..');

/** A quick benchmark takes 20 seconds at most on two idle cores. */
const SECONDS_MAX = 60;

/** Characters of the output of a failed benchmark that are shown. */
const SHOWN_MAX = 3_000;

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

readCommandLine(HELP, {});
const { scripts } = packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const names = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
let failed = 0;
for (const name of names) {
  const begun = performance.now();
  const fault = await faultOf(name);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (fault !== null) failed += 1;
  process.stdout.write(`${name.padEnd(16)} ${seconds.padStart(5)} s  ${fault ?? 'ok'}\n`);
}
process.stdout.write(`${names.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one benchmark. Returns null, or how it ended and the last part of its output. */
async function faultOf(name: string): Promise<string | null> {
  // A separate process group, so that its end includes the processes that it started.
  const child = spawn('npm', ['--silent', 'run', name, '--', '--quick'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-SHOWN_MAX);
    });
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, SECONDS_MAX * 1_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code === 0) return null;
  return `${isLate ? `not within ${SECONDS_MAX} s` : `exit code ${code}`}\n${output}`;
}
