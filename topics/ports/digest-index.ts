import type { JsonObject } from '../../schemas/base/json.ts';
import { CREDENTIALS, type CredentialIndexKind } from '../../schemas/products.ts';

const OWN_KINDS = [
  'credential',
  'claim-code',
  'console-session',
  'invitation-code',
  'reset-code',
  'api-key',
  'passed-record',
  /** Points to no aggregate: the items of a partition of work that a worker has begun. */
  'begun-work',
  /** Points to no aggregate: a mail that the mail server has taken. */
  'sent-mail',
] as const;

export type IndexKind = (typeof OWN_KINDS)[number] | CredentialIndexKind;

/** The kinds of index entries. Each kind has digests of one thing: of a kind of credential, for example. */
export const INDEX_KINDS: readonly IndexKind[] = [
  ...OWN_KINDS,
  ...Object.values(CREDENTIALS).map(({ indexKind }) => indexKind),
];

export interface IndexKey {
  readonly kind: IndexKind;
  /** SHA-256 of the secret, or an id. */
  readonly digest: string;
}

export interface IndexEntry extends IndexKey {
  /** The target, or null to end the entry. Readers check in the target's aggregate that the entry still holds. */
  readonly target: JsonObject | null;
  /** The version of the aggregate that wrote the entry. */
  readonly version: number;
  /** Unix milliseconds after which the entry does not exist, or null for never. */
  readonly expiresAt: number | null;
}

/** The index from digests to aggregates (ARCHITECTURE.md, rule 6). Repeating a `put` is harmless. */
export interface DigestIndex {
  /** Stores the entry unless a stored one has a higher version. */
  put(entry: IndexEntry): Promise<void>;
  /** Returns the target of the newest entry, or null if there is none, or if it was ended or has expired. */
  get(key: IndexKey): Promise<JsonObject | null>;
}
