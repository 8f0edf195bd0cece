import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../../api/server-clock.ts';
import type { Tone } from './state.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** From here on a countdown warns. */
const WARN_MS = 12 * HOUR_MS;
const BAD_MS = HOUR_MS;

/** After this many days a list shows the date instead of how long ago it was. */
const RELATIVE_DAYS_MAX = 30;

/** The service's time, new each minute while the page is shown. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `15 Sep, 10:24 UTC`, with the year where it is not this one. */
export function absoluteTime(at: string, now = serverNow()): string {
  const date = new Date(at);
  const year = date.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${date.getUTCFullYear()}`;
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return `${date.getUTCDate()} ${month}${year}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** `10:24 UTC` on the same day, else with the date. */
export function recentTime(at: string, now = serverNow()): string {
  const [day, time] = new Date(at).toISOString().split('T') as [string, string];
  return new Date(now).toISOString().startsWith(day) ? `${time.slice(0, 5)} UTC` : absoluteTime(at, now);
}

/** `14 min ago`, `3 d ago`, `in 2 h`; a date where that would say little. */
export function relativeTime(at: string, now: number): string {
  const difference = Date.parse(at) - now;
  const size = Math.abs(difference);
  if (size < MINUTE_MS) return 'now';
  if (size > RELATIVE_DAYS_MAX * DAY_MS) return absoluteTime(at, now).split(',')[0] ?? '';
  const text = size < HOUR_MS ? `${Math.floor(size / MINUTE_MS)} min` : wholeUnits(size);
  return difference < 0 ? `${text} ago` : `in ${text}`;
}

function wholeUnits(ms: number): string {
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}

/** Both absolute times, for the tooltip: UTC and the browser's, in one form. */
export function bothTimes(at: string): string {
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString();
  return `${absoluteTime(at)}\n${absoluteTime(local).replace('UTC', 'here')}`;
}

/** A time in a list: relative, with both absolute times in the tooltip. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={bothTimes(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

interface AbsoluteTimeProps {
  readonly at: string;
  readonly hasSeconds?: boolean;
}

/** A time on a page about one thing: absolute. */
export function AbsoluteTime({ at, hasSeconds = false }: AbsoluteTimeProps) {
  const text = absoluteTime(at);
  const seconds = `${new Date(at).toISOString().slice(16, 19)} UTC`;
  return (
    <time dateTime={at} title={bothTimes(at)}>
      {hasSeconds ? text.replace(' UTC', seconds) : text}
    </time>
  );
}

/** `2 d 4 h`, `3 h 12 min`, `40 min`. */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
}

interface CountdownProps {
  readonly until: string;
  /** True in a column whose head says "Ends": the verb is left out. */
  readonly isUnderEnds?: boolean;
}

/** The time that is left by the service's clock. Both absolute times show on hover and focus. */
export function Countdown({ until, isUnderEnds = false }: CountdownProps) {
  const left = Date.parse(until) - useNow();
  const tone: Tone = left <= 0 || left >= WARN_MS ? 'idle' : left < BAD_MS ? 'bad' : 'warn';
  const [coming, over] = isUnderEnds ? ['in', ''] : ['ends in', 'ended '];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: its absolute time has to be reachable by keyboard.
    <time class={`countdown ${tone}`} dateTime={until} title={bothTimes(until)} tabIndex={0}>
      {left <= 0 ? `${over}${absoluteTime(until)}` : `${coming} ${duration(left)}`}
    </time>
  );
}
