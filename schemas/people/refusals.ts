import { refusal } from '../base/errors.ts';

/**
 * One answer for an unknown address and a wrong password, so that the answer does not tell which addresses have an
 * account.
 */
export const SIGN_IN_REFUSED = refusal('unauthorized', {
  at: 'body',
  seen: 'an e-mail address and a password that belong to no person',
  expected: 'those of one person',
});

export const SESSION_ENDED = refusal('session_required', {
  at: 'header.Cookie',
  seen: 'a session that has ended',
  expected: 'an open session; sign in again',
});
