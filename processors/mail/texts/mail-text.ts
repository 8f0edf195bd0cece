import { counted } from '../../../schemas/base/text.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';

/** The words of a mail, in the order that a person reads them. Every text is plain: the layout escapes it. */
export interface MailText {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly label: string; readonly link: string };
  /** Behind the action: what to do if the mail is a surprise. */
  readonly notes: readonly string[];
  /** The address of the console, which sends the mail. */
  readonly console: string;
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A time in UTC and in words, such as `Sunday, 29 November 2026 at 14:05 UTC, 60 minutes from now`. */
export function timeInWords(at: number, now: number): string {
  return `${TIME.format(at).replace(/,? at |, (?=\d\d:)/, ' at ')} UTC, ${span(at - now)} from now`;
}

/** The largest unit of which there are two or more. */
const UNITS = [
  { noun: 'day', ms: DAY_MS },
  { noun: 'hour', ms: HOUR_MS },
  { noun: 'minute', ms: MINUTE_MS },
] as const;

function span(ms: number): string {
  const unit = UNITS.find((each) => ms >= 2 * each.ms) ?? { noun: 'minute', ms: MINUTE_MS };
  return counted(Math.max(1, Math.round(ms / unit.ms)), unit.noun);
}

/** A name that people of another organization gave, which no program for mail takes for an address or makes a link of. */
export function inertName(name: string): string {
  return name.replaceAll(/([.:/@])(?=\S)/g, '$1 ');
}
