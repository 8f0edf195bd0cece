import type { JsonObject } from '../../schemas/base/json.ts';

/** The key of an index entry: the digest of a credential, for example. */
export const LOOKUP_KINDS = [
  'credential',
  'claim-code',
  'capability',
  'upload-token',
  'import-session',
  'progress-token',
  'console-session',
  'invitation-code',
  'reset-code',
  'api-key',
  'passed-record',
  /** Not a pointer of an aggregate: the items of a partition of work that are under way, as their worker notes them. */
  'begun-work',
] as const;

export type LookupKind = (typeof LOOKUP_KINDS)[number];

export interface LookupKey {
  readonly kind: LookupKind;
  /** SHA-256 of the secret, or an id. */
  readonly digest: string;
}

export interface LookupEntry extends LookupKey {
  /** The target of the entry, or null to end it. A reader asks the target's aggregate if the entry still holds. */
  readonly target: JsonObject | null;
  /** The version of the aggregate that wrote it. */
  readonly version: number;
  /** Unix milliseconds after which it is gone, or null for never. */
  readonly expiresAt: number | null;
}

/** Pointers from a digest to an aggregate (ARCHITECTURE.md, rule 6). Repeating a `put` is harmless. */
export interface Lookups {
  /** Stores the entry unless one with a higher version is there. */
  put(entry: LookupEntry): Promise<void>;
  /** The target of the newest entry, or null when there is none, it was ended, or its time is over. */
  get(key: LookupKey): Promise<JsonObject | null>;
}
