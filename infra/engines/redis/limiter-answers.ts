import { z } from 'zod';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type {
  CheckingKey,
  ChecksResult,
  EntryAnswer,
  KeyQuotas,
  KeyStatus,
  KeyUndecided,
  RunningWindow,
  UsageCount,
} from '../../../topics/ports/limiter.ts';

/** The result of limiter-check.lua; its header describes the members, and the numbers in the text of an answer. */
type Checked =
  | readonly [code: 0, now: number, monthEnds: number, counted: string | number, ...answers: string[]]
  | readonly [code: 3 | 4 | 5]
  | readonly [code: 6, month: string];

/** The results of the calls of one run of the script, and the quotas after the last one. */
export interface Decoded {
  readonly kind: 'decided';
  readonly results: readonly DecidedResult[];
  readonly quotas: KeyQuotas;
  readonly now: number;
}

export type DecidedResult = Exclude<ChecksResult, KeyUndecided>;

/**
 * Decodes the results of the calls of one script run, in order. Trusts the script's output instead of parsing it,
 * because every check passes here.
 */
export function decodeChecked(
  returned: unknown,
  { quota, memory }: { readonly quota: Quota; readonly memory: string },
): Decoded | KeyUndecided {
  const checked = returned as Checked;
  switch (checked[0]) {
    case 0: {
      const [, now, monthEnds, counted, ...answers] = checked;
      const times = { now, monthEnds };
      const [calls = 0, inMonth = 0] = String(counted).split(' ').map(Number);
      const results = answers.map((answer) => decodeAnswer(answer, quota, times));
      return { kind: 'decided', results, quotas: quotasLeft(quota, { calls, inMonth }, times), now };
    }
    case 3:
      return { kind: 'revoked' };
    case 4:
      return { kind: 'payment-required' };
    case 5:
      return { kind: 'status-missing', memory };
    case 6:
      return { kind: 'month-missing', month: checked[1] };
  }
}

type Quota = CheckingKey['quota'];

/** The numbers of an entry: if it is allowed, the units that remain, and the end of the window. */
const NUMBERS_AN_ENTRY = 3;

interface Times {
  readonly now: number;
  readonly monthEnds: number;
}

function decodeAnswer(answer: string, quota: Quota, times: Times): DecidedResult {
  const { now } = times;
  const [code = '', ...numbers] = answer.split(' ');
  switch (code) {
    case '1': {
      const said = numbers.map(Number);
      const entriesEnd = said.length - (quota.month === null ? 1 : 2);
      const entries: EntryAnswer[] = [];
      for (let at = 0; at < entriesEnd; at += NUMBERS_AN_ENTRY) {
        entries.push(entryAnswer(said[at] === 1, said[at + 1] ?? 0, said[at + 2] ?? 0, now));
      }
      const [calls = 0, inMonth = 0] = said.slice(entriesEnd);
      const allowed = entries.every((entry) => entry.allowed);
      return {
        kind: 'answered',
        allowed,
        entries,
        quotas: quotasLeft(quota, { calls, inMonth }, times),
        now,
      };
    }
    case '2': {
      const [scope = 0, retryAfterMs = 0, calls = 0, inMonth = 0] = numbers.map(Number);
      return {
        kind: 'quota-exceeded',
        scope: scope === 1 ? 'minute' : 'month',
        retryAfterMs,
        quotas: quotasLeft(quota, { calls, inMonth }, times),
        now,
      };
    }
    case '8': {
      const [retryAfterMs = 0, calls = 0, inMonth = 0] = numbers.map(Number);
      const quotas = quotasLeft(quota, { calls, inMonth }, times);
      return { kind: 'windows-exhausted', retryAfterMs, quotas, now };
    }
    case '7':
      return { kind: 'idempotency-conflict' };
    default:
      throw new Error('reading an unknown answer of the limiter script');
  }
}

function entryAnswer(allowed: boolean, remaining: number, resetAt: number, now: number): EntryAnswer {
  return { allowed, remaining, resetAt, retryAfterMs: allowed ? 0 : Math.max(0, resetAt - now) };
}

function quotasLeft(
  { minute, month }: Quota,
  { calls, inMonth }: { readonly calls: number; readonly inMonth: number },
  { now, monthEnds }: Times,
): KeyQuotas {
  const left = (limit: number, used: number, resetAt: number) => ({
    limit,
    remaining: Math.max(0, limit - used),
    resetAt,
  });
  return {
    minute: left(minute, calls, now - (now % MINUTE_MS) + MINUTE_MS),
    month: month === null ? null : left(month, inMonth, monthEnds),
  };
}

const statusSchema = z.literal(['active', 'revoked', 'payment-required']).nullable();

export function decodeStatus(answer: unknown): KeyStatus | null {
  return statusSchema.parse(answer);
}

/** Decodes the value of a window that limiter-check.lua has written. */
export function decodeWindow(value: string | null): RunningWindow | null {
  if (value === null) return null;
  const [used = 0, resetAt = 0] = value.split(' ').map(Number);
  return { used, resetAt };
}

const countSchema = z.string().regex(/^\S+( \d+){4}$/);
const pendingSchema = z.array(z.string());

/** Decodes the result of limiter-pending.lua for one key. */
export function decodePending(
  answer: unknown,
  key: Pick<UsageCount, 'account' | 'keyId' | 'mode'>,
): UsageCount[] {
  const texts = pendingSchema.parse(answer);
  return texts.flatMap((minute, index) => {
    if (index % 2 === 1) return [];
    const [incarnation = '', ...numbers] = countSchema.parse(texts[index + 1]).split(' ');
    const [allowed = 0, denied = 0, refused = 0] = numbers.map(Number);
    return [{ ...key, minute: Number(minute) * MINUTE_MS, incarnation, allowed, denied, refused }];
  });
}
