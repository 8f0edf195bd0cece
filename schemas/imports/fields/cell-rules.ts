/** The texts that the service takes as a whole number. */
export const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** The texts that the service takes as a decimal number: the whole part, and the fraction where there is one. */
export const DECIMAL = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** The digits that a decimal field takes. */
export interface DigitLimits {
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
}

/**
 * Compares a number with `precision` and `scale` like a column of SQL's NUMERIC, so that such a column neither
 * refuses nor rounds a valid value. With both, `precision − scale` digits may stand before the point; `precision`
 * alone bounds all digits. A zero before the point is not counted: `0.05` has two digits.
 *
 * @param whole the digits before the point, without leading zeros
 */
export function fitsDigits(whole: string, fraction: string, { precision, scale }: DigitLimits): boolean {
  const most = precision ?? Number.POSITIVE_INFINITY;
  const before = whole === '0' ? 0 : whole.length;
  if (scale === undefined) return before + fraction.length <= most;
  return before <= most - scale && fraction.length <= scale;
}

/** True if a text has more Unicode code points than allowed. Counts them only if the length leaves it open. */
export function isLongerThan(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  let codePoints = 0;
  for (const _ of text) {
    codePoints += 1;
    if (codePoints > codePointsMax) return true;
  }
  return false;
}
