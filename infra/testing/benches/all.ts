// Runs the benchmarks of package.json one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readCommandLine } from '../../tools/command-line.ts';
import { percentile, verdictOf } from './report.ts';

const HELP = `
npm run bench -- OPTIONS

Runs every benchmark, one after the other, and then all of them again in each further round. It writes a report in Markdown: for each
figure the median of the rounds, the least and the most, and whether the target is met. It fails if a benchmark does, which those do
that check their own targets.

  --rounds 3       rounds; 1 of a quick run
  --only idle,cli  benchmarks; all by default
  --output FILE    writes the report there, not to standard output
  --quick          proves in minutes that each benchmark works; the figures mean nothing, and the report is left out
`;

const ROOT = join(import.meta.dirname, '../../..');

/** A quick benchmark takes 20 seconds at most on two idle cores, a whole one some minutes. */
const SECONDS_MAX = { quick: 60, whole: 1_200 } as const;

/** Characters of the output of a failed benchmark that are shown. */
const SHOWN_MAX = 3_000;

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

const figuresSchema = z.record(z.string(), z.number());
const targetSchema = z.union([z.object({ atLeast: z.number() }), z.object({ atMost: z.number() })]);
const reportSchema = z.object({
  ours: figuresSchema,
  ratios: figuresSchema,
  targets: z.record(z.string(), targetSchema),
});
type Report = z.infer<typeof reportSchema>;

const { values: options } = readCommandLine(HELP, {
  options: {
    rounds: { type: 'string' },
    only: { type: 'string' },
    output: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const { scripts } = packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const only = options.only?.split(',');
const names = Object.keys(scripts)
  .filter((name) => name.startsWith('bench:'))
  .filter((name) => only?.includes(name.slice('bench:'.length)) ?? true);
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const reports = new Map(names.map((name) => [name, [] as Report[]]));
// A report on standard output stands there alone.
const progress = options.quick ? process.stdout : process.stderr;
let failed = 0;
for (let round = 0; round < rounds; round += 1) {
  for (const [name, measured] of reports) {
    const begun = performance.now();
    const { report, fault } = await run(name);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    if (report !== null) measured.push(report);
    if (fault !== null) failed += 1;
    progress.write(`${name.padEnd(16)} ${seconds.padStart(5)} s  ${fault ?? 'ok'}\n`);
  }
}
progress.write(`${names.length * rounds - failed} passed, ${failed} failed\n`);
if (options.output !== undefined) writeFileSync(options.output, markdown());
else if (!options.quick) process.stdout.write(markdown());
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one benchmark. Returns what it measured, and how it failed with the last part of what it said. */
async function run(name: string): Promise<{ report: Report | null; fault: string | null }> {
  // A separate process group, so that its end includes the processes that it started.
  const args = ['--silent', 'run', name, '--', '--json', ...(options.quick ? ['--quick'] : [])];
  const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SHOWN_MAX);
  });
  const secondsMax = SECONDS_MAX[options.quick ? 'quick' : 'whole'];
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, secondsMax * 1_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const last = printed.trim().split('\n').at(-1) ?? '';
  const report = last.startsWith('{') ? reportSchema.parse(JSON.parse(last)) : null;
  if (code === 0) return { report, fault: null };
  return { report, fault: `${isLate ? `not within ${secondsMax} s` : `exit code ${code}`}\n${said}` };
}

/** One table of each benchmark. */
function markdown(): string {
  return [...reports].map(([name, measured]) => `## ${name}\n\n${tableOf(measured)}\n`).join('\n');
}

function tableOf(measured: readonly Report[]): string {
  const [first] = measured;
  if (first === undefined) return 'It measured nothing.';
  const rows = (['ours', 'ratios'] as const).flatMap((part) =>
    Object.keys(first[part]).map((name) => {
      const values = measured.map((report) => report[part][name] ?? Number.NaN);
      const median = percentile(values, 0.5);
      const target = first.targets[name];
      const cells = [
        part === 'ours' ? name : `ratio to ${name}`,
        median,
        `${Math.min(...values)} to ${Math.max(...values)}`,
        target === undefined ? '' : verdictOf(target, median),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  return ['| figure | median | spread | target |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
