import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import type { KeyAnswer } from '../../schemas/keys/http.ts';
import { limiterKeyPrefix } from '../../schemas/limiter/keys.ts';
import type { ApiKeyDocument } from '../../schemas/organizations/api-keys.ts';

/** A key as an answer shows it. Its last use is known to the minute, and shown as no earlier than the key. */
export function keyAnswer(keyId: string, key: ApiKeyDocument, lastUsedAt: number | null): KeyAnswer {
  const { product, mode, name, last4, createdAt, createdBy, revokedAt, expiresAt, replacedBy } = key;
  return {
    keyId,
    product,
    mode,
    name,
    prefix: limiterKeyPrefix(mode),
    last4,
    createdAt: isoTime(createdAt),
    createdBy,
    lastUsedAt: lastUsedAt === null ? null : isoTime(Math.max(lastUsedAt, createdAt)),
    revokedAt: isoTimeOrNull(revokedAt),
    expiresAt: isoTimeOrNull(expiresAt ?? null),
    replacedBy: replacedBy ?? null,
  };
}
