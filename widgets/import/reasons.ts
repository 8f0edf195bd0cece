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

/** Validations under way, as a refusal names them: one at a time is possible. */
const BUSY = 'installation.validations';

/** A refusal, or the lack of an answer: its status is 0 then. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Returns the label that says to a user why something is refused. The service's own words are for developers. */
export function refusalLabel({ status, code, message }: Refusal): Label {
  if (message.startsWith(BUSY)) return 'busy';
  return REFUSALS[code] ?? (status >= 400 && status < 500 ? 'other' : 'lost');
}

/** Returns the sentence for a fault of a file as a whole, by the service's code. */
export function faultText(texts: Texts, code: string): string {
  return textOf(texts, 'fault', code) ?? textOf(texts, 'fix', code) ?? wordsOf(code);
}

/** Returns the name of an error of a row, by the service's code. */
export function errorName(texts: Texts, code: string): string {
  return textOf(texts, 'error', code) ?? wordsOf(code);
}

function textOf(texts: Texts, kind: string, code: string): string | undefined {
  return (texts as Readonly<Record<string, string | undefined>>)[labelName(kind, code)];
}

/** A code of a service that is newer than this widget. */
function wordsOf(code: string): string {
  return code.replaceAll('_', ' ');
}
