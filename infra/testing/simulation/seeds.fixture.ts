import { randomInt } from 'node:crypto';

/** The violations of one run. */
export interface Finding {
  readonly seed: number;
  readonly violations: readonly string[];
}

const SEEDS = 2 ** 31;
const FIRST_SEED = 1;
/** Findings after which a search ends: more of them say nothing new. */
const FINDINGS_MAX = 3;
/**
 * Generous bounds for a test and for each of its runs, on a machine that is busy with other things. A late test continues
 * beside the next one, and both replace the global timers.
 */
const TEST_MS_MAX = 300_000;
const RUN_MS_MAX = 1_000;

/** The share of the runs that `npm test` makes; `npm run test:all` makes all of them. */
const SHARE = process.env['SVC_TEST_ALL'] === 'on' ? 1 : 0.1;

/**
 * The seeds to run: as many as given, or their share, from the first one on, so that a change is judged by the same runs as the
 * one before; with `SIM_SEED=7` only that one; with `SIM_SEED=random` from a random one on; with `SIM_RUNS=100000` as many as that.
 */
export function seedsFor(count: number): { readonly seeds: readonly number[]; readonly timeoutMs: number } {
  const { SIM_SEED, SIM_RUNS } = process.env;
  const isOne = SIM_SEED !== undefined && SIM_SEED !== 'random';
  const first = SIM_SEED === 'random' ? randomInt(SEEDS) : Number(SIM_SEED ?? FIRST_SEED);
  const runs = SIM_RUNS === undefined ? (isOne ? 1 : Math.ceil(SHARE * count)) : Number(SIM_RUNS);
  const seeds = Array.from({ length: runs }, (_, index) => (first + index) % SEEDS);
  return { seeds, timeoutMs: TEST_MS_MAX + runs * RUN_MS_MAX };
}

/** Runs seeds one after another and collects what is wrong with them. */
export async function findingsOf(
  seeds: readonly number[],
  simulate: (seed: number) => Promise<{ readonly violations: readonly string[] }>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const seed of seeds) {
    const { violations } = await simulate(seed);
    if (violations.length > 0) findings.push({ seed, violations });
    if (findings.length === FINDINGS_MAX) break;
  }
  return findings;
}

/** The findings as a message from which each can be replayed. */
export function reportOf(findings: readonly Finding[]): string {
  return findings.map(({ seed, violations }) => `SIM_SEED=${seed}\n  ${violations.join('\n  ')}`).join('\n');
}
