import { z } from 'zod';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Check, CheckResult, KeyQuotas, KeyStatus, UsageCount } from '../../../topics/ports/limiter.ts';

/** The result of limiter-check.lua; its header describes the members, and the numbers in the text of an answer. */
type Checked =
  | readonly [code: 0, now: number, monthEnds: number, ...answers: string[]]
  | readonly [code: 3 | 4 | 5]
  | readonly [code: 6, month: string];

/**
 * Decodes the results of the checks of one script run, in order. Trusts the script's output instead of parsing it,
 * because every check passes here.
 */
export function decodeChecked(
  returned: unknown,
  checks: number,
  { quota, memory }: { readonly quota: Check['quota']; readonly memory: string },
): CheckResult[] {
  const checked = returned as Checked;
  switch (checked[0]) {
    case 0: {
      const [, now, monthEnds, ...answers] = checked;
      return answers.map((answer) => decodeAnswer(answer, quota, { now, monthEnds }));
    }
    case 3:
      return repeated({ kind: 'revoked' }, checks);
    case 4:
      return repeated({ kind: 'payment-required' }, checks);
    case 5:
      return repeated({ kind: 'status-missing', memory }, checks);
    case 6:
      return repeated({ kind: 'month-missing', month: checked[1] }, checks);
  }
}

function repeated(result: CheckResult, checks: number): CheckResult[] {
  return Array.from({ length: checks }, () => result);
}

interface Times {
  readonly now: number;
  readonly monthEnds: number;
}

function decodeAnswer(answer: string, quota: Check['quota'], times: Times): CheckResult {
  const { now } = times;
  const [code = '', ...numbers] = answer.split(' ');
  switch (code) {
    case '1': {
      const [allowed = 0, remaining = 0, resetAt = 0, calls = 0, inMonth = 0] = numbers.map(Number);
      return {
        kind: 'answered',
        allowed: allowed === 1,
        remaining,
        resetAt,
        retryAfterMs: allowed === 1 ? 0 : Math.max(0, resetAt - now),
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

function quotasLeft(
  { minute, month }: Check['quota'],
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
