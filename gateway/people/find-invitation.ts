import { type ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { invitationTargetSchema } from '../../schemas/organizations/documents.ts';
import type { GatewayServices } from '../services.ts';

/**
 * Finds an invitation by the digest of its code. It may have ended since.
 *
 * @throws {ServiceError} `not_found`
 */
export async function findInvitation(
  { digestIndex }: Pick<GatewayServices, 'digestIndex'>,
  codeDigest: string,
) {
  const target = await digestIndex.get({ kind: 'invitation-code', digest: codeDigest });
  if (target === null) throw noInvitation();
  return readStored(invitationTargetSchema, target);
}

/** The refusal of a code that opens nothing. */
export function noInvitation(): ServiceError {
  return serviceError('not_found', {
    at: 'body.code',
    seen: 'a code of no open invitation',
    expected: 'the code of an invitation that was not used or revoked and has not ended',
  });
}
