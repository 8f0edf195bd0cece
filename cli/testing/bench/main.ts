// Measures the start of the command-line tool.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBenchOptions } from '../../../infra/testing/benches/options.ts';
import { percentile, report } from '../../../infra/testing/benches/report.ts';
import { RELEASES } from '../../releases.ts';
import { bundleOf, RUNTIMES } from '../bundles.fixture.ts';

const HELP = `
npm run bench:cli -- OPTIONS

Measures the time of svc --help, beside an empty Bun script. It fails if the help takes more than three times as long.

`;

const { quick } = readBenchOptions(HELP, {});
/** Runs of each script, one after the other in turn, so that a busy moment meets all of them. */
const RUNS = quick ? 3 : 60;
const RATIO_MAX = 3;
/** Other work of the machine only adds time, so the fast runs show the time of the script. */
const FAST_SHARE = 0.1;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const empty = join(folder, 'empty.js');
writeFileSync(empty, '');
const [{ program }] = RUNTIMES;
const scripts = [empty, ...RELEASES.map(({ version }) => bundleOf(version))];
const times = new Map(scripts.map((script) => [script, [] as number[]]));
for (let run = 0; run < RUNS; run += 1) {
  for (const [script, measured] of times) {
    const startedAt = performance.now();
    const { status } = spawnSync(program, [script, '--help']);
    if (status !== 0) throw new Error(`running ${script}: ${status}`);
    measured.push(performance.now() - startedAt);
  }
}
rmSync(folder, { recursive: true });

const fast = (script: string): number => percentile(times.get(script) ?? [], FAST_SHARE);
const slowest = Math.max(...RELEASES.map(({ version }) => fast(bundleOf(version))));
const ratio = slowest / fast(empty);
report({
  bench: 'cli',
  ours: Object.fromEntries(RELEASES.map(({ version }) => [`help of ${version} ms`, fast(bundleOf(version))])),
  ratios: { 'an empty Bun script': ratio },
});
if (!quick && ratio > RATIO_MAX) process.exitCode = 1;
