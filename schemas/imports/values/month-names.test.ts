import { describe, expect, it } from 'vitest';
import { inflectedMonth, LANGUAGES, monthNames } from './month-names.ts';
import { folded } from './signs.ts';

/** The forms in which a name of a month stands alone and in dates. */
const FORMS: readonly Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((month) => [
  { month },
  { month, day: 'numeric' },
  { month, day: 'numeric', year: 'numeric' },
]);

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

/** Names that spreadsheets write, and the platform does not. */
const OTHERS = ['mrz'];

function namesOf(language: string, month: number): string[] {
  return FORMS.flatMap((form) => {
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...form, timeZone: 'UTC' });
    const parts = format.formatToParts(new Date(Date.UTC(2026, month - 1, 15)));
    const name = parts.find(({ type }) => type === 'month')?.value ?? '';
    // Vietnamese numbers its months.
    return /\d/.test(name) ? [] : [name.replace(/^de /, '')];
  });
}

/** A space inside of a name, as in the text that is read. */
function joined(name: string): string {
  return name.replaceAll(' ', '\u00a0');
}

describe('inflectedMonth', () => {
  it.each(LANGUAGES)('knows the names of the months as the platform writes them: %s', (language) => {
    for (const month of MONTHS) {
      for (const name of namesOf(language, month)) {
        const [number, inCroatian] = inflectedMonth(joined(name));
        expect([name, language === 'hr' ? inCroatian : number]).toEqual([name, month]);
      }
    }
  });

  it('knows no other names', () => {
    const platform = MONTHS.map(
      (month) =>
        new Set(
          LANGUAGES.flatMap((language) =>
            namesOf(language, month).map((name) => folded(joined(name)).replaceAll(/[.׳'’]/gu, '')),
          ),
        ),
    );
    for (const [name, month] of monthNames()) {
      const isForm = [name, `d${name}`].some((form) => platform[month - 1]?.has(form));
      if (!isForm) expect(OTHERS).toContain(name);
    }
  });
});
