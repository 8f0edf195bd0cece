import { z } from 'zod';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import type { CheckResult, KeyStatus, MinuteQuota, UsageCount } from '../../topics/ports/limiter.ts';

/** What limiter-check.lua returns; its header names the members, and the numbers in the text of an answer. */
type Checked =
  | readonly [code: 0, now: number, ...answers: string[]]
  | readonly [code: 3 | 4 | 5]
  | readonly [code: 6, month: string];

/**
 * The results of the checks that one run of the script has made, in order. Every check passes here: the script is ours, and
 * what it returns is trusted instead of parsed once more.
 */
export function decodeChecked(
  returned: unknown,
  checks: number,
  { perMinute, memory }: { readonly perMinute: number; readonly memory: string },
): CheckResult[] {
  const checked = returned as Checked;
  switch (checked[0]) {
    case 0: {
      const [, now, ...answers] = checked;
      return answers.map((answer) => decodeAnswer(answer, perMinute, now));
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

function decodeAnswer(answer: string, perMinute: number, now: number): CheckResult {
  const [code = '', ...numbers] = answer.split(' ');
  switch (code) {
    case '1': {
      const [allowed = 0, remaining = 0, resetAt = 0, calls = 0] = numbers.map(Number);
      return {
        kind: 'answered',
        allowed: allowed === 1,
        remaining,
        resetAt,
        retryAfterMs: allowed === 1 ? 0 : Math.max(0, resetAt - now),
        minute: minuteQuota(perMinute, calls, now),
        now,
      };
    }
    case '2': {
      const [scope = 0, retryAfterMs = 0, calls = 0] = numbers.map(Number);
      return {
        kind: 'quota-exceeded',
        scope: scope === 1 ? 'minute' : 'month',
        retryAfterMs,
        minute: minuteQuota(perMinute, calls, now),
        now,
      };
    }
    case '7':
      return { kind: 'idempotency-conflict' };
    default:
      throw new Error('reading an answer of the limiter that is none of its script');
  }
}

function minuteQuota(limit: number, calls: number, now: number): MinuteQuota {
  return { limit, remaining: Math.max(0, limit - calls), resetAt: now - (now % MINUTE_MS) + MINUTE_MS };
}

const statusSchema = z.literal(['active', 'revoked', 'payment-required']).nullable();

export function decodeStatus(answer: unknown): KeyStatus | null {
  return statusSchema.parse(answer);
}

const countSchema = z.string().regex(/^\S+( \d+){4}$/);
const pendingSchema = z.array(z.string());

/** What limiter-pending.lua returns of one key. */
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
