/** A line of a text in comparison with another text. */
export interface Line {
  readonly kind: 'same' | 'add' | 'del';
  /** From 1: in the newer text, of a removed line in the older one. */
  readonly number: number;
  readonly text: string;
}

/** The fewest lines removed from `before` and added to reach `now`; removed ones stand first. Takes time of their product. */
export function lineDifferences(before: readonly string[], now: readonly string[]): Line[] {
  const common = commonLengths(before, now);
  const lines: Line[] = [];
  let [old, next] = [0, 0];
  while (old < before.length || next < now.length) {
    const [oldText, text] = [before[old], now[next]];
    if (oldText !== undefined && oldText === text) {
      lines.push({ kind: 'same', number: next + 1, text });
      old += 1;
      next += 1;
    } else if (oldText !== undefined && at(common, old + 1, next) >= at(common, old, next + 1)) {
      lines.push({ kind: 'del', number: old + 1, text: oldText });
      old += 1;
    } else {
      lines.push({ kind: 'add', number: next + 1, text: text ?? '' });
      next += 1;
    }
  }
  return lines;
}

/** The length of the longest common subsequence of the ends of both texts, by where the ends begin. */
function commonLengths(before: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let next = now.length - 1; next >= 0; next -= 1) {
      const length =
        before[old] === now[next]
          ? at(lengths, old + 1, next + 1) + 1
          : Math.max(at(lengths, old + 1, next), at(lengths, old, next + 1));
      lengths[old]?.splice(next, 1, length);
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], row: number, column: number): number {
  return lengths[row]?.[column] ?? -1;
}
