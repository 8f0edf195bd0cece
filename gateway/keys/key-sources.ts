import { runtimeRootSchema } from '../../schemas/base/aggregate-root.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { apiKeyDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import {
  apiKeyStatus,
  SUBSCRIPTION_ROW,
  subscriptionDocumentSchema,
} from '../../schemas/organizations/subscription.ts';
import type { LimiterKey } from '../../topics/ports/limiter.ts';
import type { Row, Store } from '../../topics/ports/store.ts';
import type { KeySources, KnownKeyStatus } from '../limiter/key-sources.ts';
import { readMonthUse } from './key-usage.ts';

/** Reads keys from organizations and metered usage, if the limiter's memory lacks them. */
export function createKeySources(store: Pick<Store, 'read'>): KeySources {
  return {
    readStatus: (key) => readStatus(store, key),
    readMonthUse: ({ keyId }, month) => readMonthUse(store, keyId, month),
  };
}

/**
 * A status and its version are read at the same moment. So a late answer that was read before a revocation has the
 * older version. The limiter compares the key's end with its own clock: that of a gateway may be wrong.
 */
async function readStatus(
  store: Pick<Store, 'read'>,
  { account, keyId }: LimiterKey,
): Promise<KnownKeyStatus | null> {
  const wanted = [{ kind: 'api-key', id: keyId }, SUBSCRIPTION_ROW];
  const { root, rows } = await store.read({ table: 'organizations', id: account }, wanted);
  const key = documentOf(rows, 'api-key');
  if (root === null || key === null) return null;
  const { state, sequence } = readStored(runtimeRootSchema, root.document);
  if (readStored(organizationDocumentSchema.nullable(), state)?.state !== 'active') return null;
  const subscription = readStored(
    subscriptionDocumentSchema.nullable(),
    documentOf(rows, SUBSCRIPTION_ROW.kind),
  );
  const document = readStored(apiKeyDocumentSchema, key);
  const { expiresAt } = document;
  return {
    status: apiKeyStatus(document, subscription),
    version: sequence,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function documentOf(rows: readonly Row[], kind: string) {
  return rows.find((row) => row.kind === kind)?.document ?? null;
}
