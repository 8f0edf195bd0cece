import { digestsEqual, keyedDigest } from '../../schemas/base/digest.ts';
import { secretFrom } from '../../schemas/base/secrets.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import type { Store } from '../../topics/ports/store.ts';
import { deriveId } from '../http/records/derive.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { SecretKeys } from '../services.ts';

/**
 * The code of the one-time set-up link (`svc_setup_…`). It is derived from the process's secrets, so it needs no
 * storage. Once the first organization exists, the code is refused.
 */
export function setUpCode(keys: Pick<SecretKeys, 'secret'>): string {
  return secretFrom('setup', keyedDigest(keys.secret, 'set-up'));
}

/** True if this is the code of the set-up link. */
export function isSetUpCode(keys: Pick<SecretKeys, 'secret'>, code: string): boolean {
  return digestsEqual(setUpCode(keys), code);
}

/** The organization that the set-up makes: always the same one, so that it can be made once only. */
export function firstOrganizationId(keys: SecretKeys): string {
  return deriveId(keys, 'organization', 'first organization');
}

/** True if the first organization exists. */
export async function isSetUp(store: Pick<Store, 'read'>, keys: SecretKeys): Promise<boolean> {
  const aggregate = { table: 'organizations', id: firstOrganizationId(keys) } as const;
  const { root } = await readAggregate(store, aggregate, organizationDocumentSchema);
  return root?.state === 'active';
}
