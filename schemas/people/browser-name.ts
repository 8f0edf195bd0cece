import { z } from 'zod';

/** The first that fits counts: browsers name those whose pages they want to get. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const words = (known: readonly (readonly [RegExp, string])[]) => known.map(([, word]) => word).join('|');

/** A browser and its system, in words of this file: nothing else of a `User-Agent` is kept. */
export const browserNameSchema = z
  .string()
  .regex(new RegExp(`^(?:${words(BROWSERS)}) on (?:${words(SYSTEMS)})$`));

/** Returns the browser and the system that a `User-Agent` names, such as `Firefox on Windows`; null if one is unknown. */
export function browserNameOf(userAgent: string | undefined): string | null {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1],
  );
  return browser === undefined || system === undefined ? null : `${browser} on ${system}`;
}
