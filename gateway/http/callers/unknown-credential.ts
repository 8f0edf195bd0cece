import { type ServiceError, serviceError } from '../../../schemas/base/errors.ts';

/** 401 for a credential of the right form: unknown, ended, revoked or erased. */
export function unknownCredential(): ServiceError {
  return serviceError('unauthorized', {
    at: 'header.Authorization',
    seen: 'a credential that is unknown or works no longer',
    expected: 'one that was made here and has not ended',
  });
}
