/** Methods that look at single characters or at a given text, and those that can look at all of theirs. */
const SINGLE = ['charCodeAt', 'charAt'] as const;
const SEARCHES = ['indexOf', 'includes'] as const;
const WHOLE = ['split', 'trim', 'trimStart', 'trimEnd', 'replaceAll', 'replace', 'search', 'match'] as const;
/** Native searches for one sign pass as many characters in the time in which others look at one. */
const SEARCHED_PER_LOOK = 64;

/**
 * Runs work and returns the characters of texts at which each of its steps has looked. It counts in the methods of strings and
 * patterns while the work runs, so that the work itself has no counter.
 */
export function charactersOf(work: Generator<void, unknown>): number[] {
  let looks = 0;
  const restore = countWith((characters) => {
    looks += characters;
  });
  const steps: number[] = [];
  try {
    for (;;) {
      looks = 0;
      const { done } = work.next();
      steps.push(looks);
      if (done === true) return steps;
    }
  } finally {
    restore();
  }
}

function countWith(count: (characters: number) => void): () => void {
  const texts = String.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  const patterns = RegExp.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  const restores: (() => void)[] = [];
  const wrap = (
    owner: typeof texts,
    name: string,
    costOf: (self: unknown, values: readonly unknown[], result: unknown) => number,
  ): void => {
    const own = owner[name];
    if (own === undefined) throw new Error(`counting in ${name}, which is no method`);
    owner[name] = function counted(this: unknown, ...values: unknown[]): unknown {
      const result = own.apply(this, values);
      count(costOf(this, values, result));
      return result;
    };
    restores.push(() => {
      owner[name] = own;
    });
  };
  for (const name of SINGLE) wrap(texts, name, () => 1);
  for (const name of SEARCHES)
    wrap(texts, name, (self, [, from = 0], found) => {
      const { length } = String(self);
      const end = typeof found === 'number' && found >= 0 ? found : length;
      return 1 + Math.max(0, end - Number(from)) / SEARCHED_PER_LOOK;
    });
  for (const name of WHOLE) wrap(texts, name, (self) => String(self).length);
  wrap(patterns, 'test', (_, [text]) => String(text).length);
  return () => {
    for (const restore of restores) restore();
  };
}
