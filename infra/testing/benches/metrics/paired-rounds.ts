import type { ServiceName } from '../events/protocol.ts';
import { percentile, say } from '../report.ts';

/** Ranks between which the median lies with 95 %: this many standard deviations of the binomial distribution around it. */
const DEVIATIONS = 1.96;

/** Rounds between two lines of progress. */
const ROUNDS_A_LINE = 8;

export interface Cost {
  /** The CPU time with metrics over that without: the median of the rounds, and the bounds within which it lies with 95 %. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
  /** Of an operation with metrics. */
  readonly cpuMicroseconds: number;
}

/**
 * Measures two services in turn. Each is first in every second round, so that a machine that changes its pace favours neither. The
 * first round, in which code is compiled, does not count.
 *
 * @param measure returns the CPU microseconds of an operation
 */
export async function pairedRounds(
  what: string,
  rounds: number,
  measure: (service: ServiceName) => Promise<number>,
): Promise<Cost> {
  const usual: number[] = [];
  const ratios: number[] = [];
  const begun = performance.now();
  for (let round = 0; round <= rounds; round += 1) {
    const micros = { usual: 0, unmetered: 0 };
    const order = round % 2 === 0 ? (['usual', 'unmetered'] as const) : (['unmetered', 'usual'] as const);
    for (const service of order) micros[service] = await measure(service);
    if (round === 0) continue;
    usual.push(micros.usual);
    ratios.push(micros.usual / micros.unmetered);
    if (round % ROUNDS_A_LINE !== 0 && round < rounds) continue;
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const { ratio, cpuMicroseconds } = costOf(ratios, usual);
    say(
      `${what}: ${round} of ${rounds} rounds, ${seconds} s, ${cpuMicroseconds.toFixed(1)} us, ratio ${ratio.toFixed(3)}`,
    );
  }
  return costOf(ratios, usual);
}

/** The bounds are the order statistics around the median, which need no assumption about the distribution. */
export function costOf(ratios: readonly number[], usual: readonly number[]): Cost {
  const reach = DEVIATIONS / (2 * Math.sqrt(ratios.length));
  return {
    ratio: percentile(ratios, 0.5),
    from: percentile(ratios, Math.max(0, 0.5 - reach)),
    to: percentile(ratios, Math.min(1, 0.5 + reach)),
    cpuMicroseconds: percentile(usual, 0.5),
  };
}
