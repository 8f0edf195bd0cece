/** In milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** The latencies that half, and all but one in a hundred, did not exceed. @throws {RangeError} when there are none. */
export function latenciesOf(samples: readonly number[]): Latencies {
  const sorted = Float64Array.from(samples).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/** The smallest sample that a share of all does not exceed. */
function percentile(sorted: Float64Array, share: number): number {
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (sample === undefined) throw new RangeError('looking for a percentile of no samples');
  return sample;
}

/** The middle one of some measurements, the lower of two. */
export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}
