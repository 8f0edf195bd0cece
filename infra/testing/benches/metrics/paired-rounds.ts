import type { ServiceName } from '../events/protocol.ts';
import { percentile, say } from '../report.ts';

/** Ranks between which the median lies with 95 %: this many standard deviations of the binomial distribution around it. */
const DEVIATIONS = 1.96;

/** Rounds that are measured however long they take. With fewer, the bounds are those of the least and the greatest. */
export const ROUNDS_LEAST = 8;

/** Interval between two lines of progress. */
const LINE_SECONDS = 10;

export interface Cost {
  /** The CPU time with metrics over that without: the median of the rounds, and the bounds within which it lies with 95 %. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
  /** Of an operation with metrics. */
  readonly cpuMicroseconds: number;
  readonly rounds: number;
}

/**
 * Measures two services in turn for a while. Each is first in every second round, so that a machine that changes its pace favours
 * neither. The first round, in which code is compiled, does not count.
 *
 * @param measure returns the CPU microseconds of an operation
 */
export async function pairedRounds(
  what: string,
  seconds: number,
  measure: (service: ServiceName) => Promise<number>,
): Promise<Cost> {
  const usual: number[] = [];
  const ratios: number[] = [];
  const begun = performance.now();
  let said = 0;
  for (let round = 0, passed = 0; round <= ROUNDS_LEAST || passed < seconds; round += 1) {
    const micros = { usual: 0, unmetered: 0 };
    const order = round % 2 === 0 ? (['usual', 'unmetered'] as const) : (['unmetered', 'usual'] as const);
    for (const service of order) micros[service] = await measure(service);
    passed = (performance.now() - begun) / 1_000;
    if (round === 0) continue;
    usual.push(micros.usual);
    ratios.push(micros.usual / micros.unmetered);
    if (passed < said + LINE_SECONDS) continue;
    said = passed;
    say(lineOf(what, costOf(ratios, usual)));
  }
  const cost = costOf(ratios, usual);
  say(lineOf(what, cost));
  return cost;
}

function lineOf(what: string, { ratio, from, to, cpuMicroseconds, rounds }: Cost): string {
  const bounds = `${from.toFixed(3)} to ${to.toFixed(3)}`;
  return `${what}: ${rounds} rounds, ${cpuMicroseconds.toFixed(1)} us, ratio ${ratio.toFixed(3)} (${bounds})`;
}

/** The bounds are the order statistics around the median, which need no assumption about the distribution. */
export function costOf(ratios: readonly number[], usual: readonly number[]): Cost {
  const reach = DEVIATIONS / (2 * Math.sqrt(ratios.length));
  return {
    ratio: percentile(ratios, 0.5),
    from: percentile(ratios, Math.max(0, 0.5 - reach)),
    to: percentile(ratios, Math.min(1, 0.5 + reach)),
    cpuMicroseconds: percentile(usual, 0.5),
    rounds: ratios.length,
  };
}
