/** Values over time, null where there was no reading. */
export type Line = readonly (number | null)[];

/** The parts of an axis. */
const STEPS = 4;

/** The marks of an axis from 0 to at least the highest value, the highest mark first. Each step is 1, 2, 2.5 or 5 times a power of ten. */
export function axisMarks(most: number, isWhole = false): readonly number[] {
  const least = Math.max(most / STEPS, isWhole ? 1 : 0.25);
  const power = 10 ** Math.floor(Math.log10(least));
  const factors = isWhole && power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = power * (factors.find((factor) => factor * power >= least * 0.999_999) ?? 10);
  return Array.from({ length: STEPS + 1 }, (_, index) => Number(((STEPS - index) * step).toPrecision(6)));
}

/** The path of a line in a plot of the given width and the height 100. It has a gap where there was no reading. */
export function pathOf(line: Line, end: number, width: number): string {
  const last = Math.max(1, line.length - 1);
  let isDrawing = false;
  return line
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const place = `${((index / last) * width).toFixed(1)} ${(100 - (value / end) * 100).toFixed(1)}`;
      // A single reading is a point: a line of no length with round ends.
      const drawn = isDrawing ? `L${place}` : `M${place}h0`;
      isDrawing = true;
      return drawn;
    })
    .join('');
}

/** The highest of all values; 0 without any. */
export function highest(lines: readonly Line[]): number {
  return Math.max(0, ...lines.flatMap((line) => line.filter((value) => value !== null)));
}

/** The latest reading; null without any. */
export function latest(line: Line): number | null {
  return line.findLast((value) => value !== null) ?? null;
}

/** Five texts for the axis of times, evenly apart. */
export function timeMarks(times: readonly string[]): readonly string[] {
  if (times.length === 0) return [];
  return Array.from({ length: STEPS + 1 }, (_, index) => {
    const at = times[Math.round((index / STEPS) * (times.length - 1))] ?? '';
    return index === STEPS ? `${at.slice(11, 16)} UTC` : at.slice(11, 16);
  });
}
