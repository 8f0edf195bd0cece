/** One look at a validation: the rows and parts that were done by then. */
export interface Sample {
  readonly atMs: number;
  readonly rows: number;
  readonly parts: number;
}

const SECOND_MS = 1_000;

/** A validation is watched this long before it is said how much time is left. */
const PACE_MS_MIN = 3_000;

/** Rows per second and seconds left, from the first and the latest look; null before a pace can be told. */
export function paceOf(first: Sample, latest: Sample, partsTotal: number) {
  const tookMs = latest.atMs - first.atMs;
  const parts = latest.parts - first.parts;
  if (tookMs < PACE_MS_MIN || parts <= 0) return null;
  return {
    rowsPerSecond: Math.round(((latest.rows - first.rows) * SECOND_MS) / tookMs),
    secondsLeft: Math.ceil(((partsTotal - latest.parts) * tookMs) / parts / SECOND_MS),
  };
}
