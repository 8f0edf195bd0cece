import { type ServiceError, serviceError } from '../../schemas/base/errors.ts';

/** 401 for a credential of the right form: unknown, ended, revoked or erased. */
export function unknownCredential(): ServiceError {
  return serviceError('unauthorized', 'The credential is unknown here or works no longer.');
}
