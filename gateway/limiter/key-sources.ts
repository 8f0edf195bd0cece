import type { KeyStatus, LimiterKey } from '../../topics/ports/limiter.ts';

/** A key's status as its organization says it now, with the organization's version. */
export interface KnownKeyStatus {
  readonly status: KeyStatus;
  readonly version: number;
  /** Unix milliseconds at which the key ends; absent for a key without an end. */
  readonly expiresAt?: number;
}

/** Reads keys from the durable state, if the limiter's memory lacks them. */
export interface KeySources {
  /** The status, seen with every change that has been answered before; null when there is no such key. */
  readStatus(key: LimiterKey): Promise<KnownKeyStatus | null>;
  /** Calls of one UTC month (`YYYY-MM`) that reached a counter, as far as they have been published. */
  readMonthUse(key: LimiterKey, month: string): Promise<number>;
}
