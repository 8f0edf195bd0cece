import { refusal } from '../base/errors.ts';

/** One answer for an unknown address and a wrong password, so that nobody can find out who has an account. */
export const SIGN_IN_REFUSED = refusal('unauthorized', 'The e-mail address or the password is wrong.');
