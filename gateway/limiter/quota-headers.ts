import { MINUTE_MS, SECOND_MS, startOfUtcMonthBefore } from '../../schemas/base/time.ts';
import type { KeyQuota, KeyQuotas } from '../../topics/ports/limiter.ts';

interface Counted {
  readonly quotas: KeyQuotas;
  /** The limiter's time, in Unix milliseconds. */
  readonly now: number;
}

/**
 * The key's quotas as draft-ietf-httpapi-ratelimit-headers writes them (lists of RFC 9651): what is left, and the seconds
 * until minute or month end, rounded up. The quota with less left stands first; of two with the same, the longer one.
 */
export function quotaHeaders({ quotas: { minute, month }, now }: Counted): Record<string, string> {
  const ofMinute = headersOf('minute', minute, MINUTE_MS, now);
  if (month === null) return ofMinute;
  const monthMs = month.resetAt - startOfUtcMonthBefore(month.resetAt);
  const ofMonth = headersOf('month', month, monthMs, now);
  return month.remaining <= minute.remaining ? joined(ofMonth, ofMinute) : joined(ofMinute, ofMonth);
}

interface QuotaHeaders extends Record<string, string> {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
}

function headersOf(name: string, quota: KeyQuota, windowMs: number, now: number): QuotaHeaders {
  return {
    'RateLimit-Policy': `"${name}";q=${quota.limit};w=${windowMs / SECOND_MS}`,
    RateLimit: `"${name}";r=${quota.remaining};t=${Math.ceil((quota.resetAt - now) / SECOND_MS)}`,
  };
}

function joined(first: QuotaHeaders, second: QuotaHeaders): QuotaHeaders {
  return {
    'RateLimit-Policy': `${first['RateLimit-Policy']}, ${second['RateLimit-Policy']}`,
    RateLimit: `${first.RateLimit}, ${second.RateLimit}`,
  };
}
