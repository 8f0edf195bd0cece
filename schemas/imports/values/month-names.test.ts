import { describe, expect, it } from 'vitest';
import { inflectedMonth, monthNames } from './month-names.ts';
import { folded } from './signs.ts';

/** The languages that are written in the encodings of `../fix/encodings.ts`, and some that are written without accents. */
const LANGUAGES: readonly string[] =
  'en de de-AT fr fr-CA es pt it nl da sv nb nn fi is fo ga cy ca eu gl sq pl cs sk hu sl hr bs sr sr-Latn ro tr az et lv lt ru uk be bg mk el he ar ar-LB ar-DZ ar-MA fa ur vi th id ms af mt lb'.split(
    ' ',
  );

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
