import { labelName } from './label-name.ts';
import type { Label, Texts } from './labels.ts';

/** The labels of refusals, by the service's codes. */
const REFUSALS: Readonly<Record<string, Label>> = {
  limit_reached: 'limit',
  rate_limited: 'tooFast',
  workspace_paused: 'paused',
  workspace_disconnected: 'over',
  expired: 'over',
  origin_not_allowed: 'wrongPage',
};

/** A limit that has room again within this time is that of validations under way. Others wait for a month, or for good. */
const BUSY_SECONDS_MAX = 60;

/** A refusal, or the lack of an answer: its status is 0 then. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  /** From the `Retry-After` header; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
}

/** Returns the label that says to a user why something is refused. The service's own words are for developers. */
export function refusalLabel({ status, code, retryAfterSeconds }: Refusal): Label {
  if (code === 'limit_reached' && retryAfterSeconds !== null && retryAfterSeconds <= BUSY_SECONDS_MAX)
    return 'busy';
  return REFUSALS[code] ?? (status >= 400 && status < 500 ? 'other' : 'lost');
}

/** Returns the sentence for a fault of a file as a whole, by the service's code. */
export function faultText(texts: Partial<Texts>, code: string): string {
  return textOf(texts, 'fault', code) ?? textOf(texts, 'fix', code) ?? wordsOf(code);
}

/** Returns the name of an error of a row, by the service's code. */
export function errorName(texts: Partial<Texts>, code: string): string {
  return textOf(texts, 'error', code) ?? wordsOf(code);
}

function textOf(texts: Partial<Texts>, kind: string, code: string): string | undefined {
  return (texts as Readonly<Record<string, string | undefined>>)[labelName(kind, code)];
}

/** A code of a service that is newer than this widget. */
function wordsOf(code: string): string {
  return code.replaceAll('_', ' ');
}
