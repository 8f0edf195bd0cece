import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charactersOf } from './counted-characters.fixture.ts';
import type { Examination } from './examination.ts';
import { examine } from './examine.ts';
import { NO_CHOICES } from './findings.ts';
import { LIMITS } from './fixed.fixture.ts';

/** A text that begins once and continues with the same characters. */
type Pattern = readonly [name: string, start: string, repeated: string, end?: string];

const PATTERNS: readonly Pattern[] = [
  ['rows with CR below a header with LF', 'a,b\n', '1,2\r'],
  ['rows with CR below a header with CRLF', 'a,b\r\n', '1,2\r'],
  ['a script in one line', '', 'var a="b";f(a,"c");'],
  ['XML in one line', '', '<a b="c"><d e="f"/></a>'],
  ['JSON in one line that does not end', '[{"a":1}', ',{"a":1,"b":"c"}'],
  ['quotes behind a colon below a bar', 'a|b\n', ':"─'],
  ['a line of dashes', 'a,b\n1,2\n', '-'],
  ['a ruler that has no end', 'a|b\n1|2\n', '-', 'x'],
  ['CR alone', 'a,b\r1,2\r', '\r'],
  ['quotes alone', 'a,b\n', '"'],
  ['quotes that open lines', 'a,b\n', '"x\n'],
  ['quotes that open fields', 'a,b\n', '"a,'],
  ['quotes behind spaces', 'a,b\n', '" '],
  ['separators alone', 'a,b\n', ','],
  ['blank lines', 'a,b\n1,2\n', '\n'],
  ['byte order marks', 'a,b\n', '\ufeff1,2\n'],
  ['a box', '┌─┐\n', '│a│b│\n'],
  ['totals', 'a,b\n', 'Total,5\n'],
  ['lines to leave out', 'id,name,email,phone\n1,a,b,c\n', 'new x,,,\n'],
  ['words for a mean in one cell', 'a,b\nx,1\n', 'mean ', ',1\n'],
];

/** Characters at which the start of a text is long enough for every sample of it. */
const SAMPLED = 288 * 1_024;
const GROWTH_MAX = 2.2;
/** Characters at which one step looks: five times those of the largest row, or of a sample. */
const STEP_MAX = 5 * 256 * 1_024;

function stepsOf([, start, repeated, end = '']: Pattern, size: number): number[] {
  const text = start + repeated.repeat(Math.ceil(size / repeated.length)) + end;
  return charactersOf(examine(Buffer.from(text), NO_CHOICES, LIMITS));
}

function sum(steps: readonly number[]): number {
  return steps.reduce((all, each) => all + each, 0);
}

describe('examine', () => {
  it.each(PATTERNS.map((pattern) => [pattern[0], pattern] as const))(
    'looks at twice as many characters of twice as much: %s',
    (_, pattern) => {
      const [once, twice] = [stepsOf(pattern, SAMPLED), stepsOf(pattern, 2 * SAMPLED)];
      expect(sum(twice)).toBeLessThanOrEqual(GROWTH_MAX * sum(once));
      expect(twice.filter((step) => step > STEP_MAX)).toEqual([]);
    },
  );

  it('looks at twice as many characters of twice as much of any pattern', () => {
    const signs = fc.constantFrom(...'ab1,;|\t:"\'\n\r -─é');
    const texts = fc.string({ unit: signs, minLength: 1, maxLength: 12 });
    const property = fc.property(texts, texts, (start, repeated) => {
      const pattern: Pattern = ['drawn', `${start}\n`, repeated];
      const small = 64 * 1_024;
      const counts = [small, 2 * small, 4 * small, 8 * small].map((size) => sum(stepsOf(pattern, size)));
      const [first = 0] = counts;
      // Samples count once, and a text can be refused sooner.
      expect(counts.at(-1) ?? 0).toBeLessThanOrEqual(8 * GROWTH_MAX * Math.max(first, 8 * small));
    });
    fc.assert(property, { numRuns: 4 });
  }, 60_000);

  it('leaves a file with a row of more than 256 KiB to the service, but refuses one line', () => {
    const row = '-'.repeat(300 * 1_024);
    expect(resultOf(`id,text\n1,${row}\n`)).toBeNull();
    expect(resultOf(row)?.refusal?.code).toBe('no_rows');
  });
});

function resultOf(text: string): Examination | null {
  const work = examine(Buffer.from(text), NO_CHOICES, LIMITS);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
