import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';

export type Quota = Schemas['Quota'];

/** From here on a meter warns. */
const WARN_SHARE = 0.8;

interface Meter {
  /** 0 to 100. */
  readonly percent: number;
  readonly tone: 'warn' | 'bad' | null;
  /** The consequence of the end, once the end is near. */
  readonly hint: string | null;
}

/** The picture of a limit. `timeText`: writes the time at which the use starts again. */
export function meterOf(
  { used, limit, remaining, resetsAt }: Quota,
  timeText: (at: string) => string,
): Meter {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const percent = share * 100;
  if (share < WARN_SHARE) return { percent, tone: null, hint: null };
  const until = resetsAt === null ? 'for good' : `until ${timeText(resetsAt)}`;
  return remaining === 0
    ? { percent, tone: 'bad', hint: `None left: requests get 429 ${until}` }
    : { percent, tone: 'warn', hint: `${count(remaining)} left, then requests get 429 ${until}` };
}
