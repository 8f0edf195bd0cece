import type { SubjectCohort } from '../../schemas/activate/documents.ts';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { deriveId } from '../http/records/derive.ts';
import type { SecretKeys } from '../services.ts';

/** A subject of one checklist, as the customer's backend names it. */
export interface Subject {
  readonly installationId: string;
  readonly checklistId: string;
  readonly cohort: SubjectCohort;
  readonly subjectDigest: string;
}

/**
 * The id of a subject's enrollment: the same for the same subject, checklist and cohort. It tells nothing to a reader
 * of a topic or the store. The subject's digest itself is not stored.
 */
export function enrollmentOf(keys: SecretKeys, subject: Subject): string {
  const { installationId, checklistId, cohort, subjectDigest } = subject;
  return deriveId(keys, 'enrollment', installationId, checklistId, cohort, subjectDigest);
}

/** Bytes of a retry key: enough that two never meet. */
const RETRY_KEY_BYTES = 16;

/**
 * Returns the digest that replaces an event's `idempotencyKey` in topic and store. A long key gets a digest as short as any, and
 * after an erasure nothing of the customer's record is left.
 */
export function retryKeyOf(keys: SecretKeys, installationId: string, idempotencyKey: string): string {
  return keyedDigest(keys.identity, 'event', installationId, idempotencyKey)
    .subarray(0, RETRY_KEY_BYTES)
    .toString('base64url');
}
