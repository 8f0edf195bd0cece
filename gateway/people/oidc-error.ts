import { type Refusal, refusal, ServiceError } from '../../schemas/base/errors.ts';
import type { SignOnReason } from '../../schemas/people/sign-on-reasons.ts';
import { type SignOnCause, signOnCause } from './oidc-cause.ts';

/** A failed sign-on, with the reason that the sign-in page explains. */
export class SignOnError extends ServiceError {
  readonly reason: SignOnReason;

  constructor(refused: Refusal, reason: SignOnReason, options?: ErrorOptions) {
    super(refused, options);
    this.name = 'SignOnError';
    this.reason = reason;
  }

  /** Words an error of the client library. */
  static ofProvider(error: unknown): SignOnError {
    if (error instanceof SignOnError) return error;
    // Node's `fetch` throws this one where a connection fails.
    const isUnreached = error instanceof TypeError && error.cause !== undefined;
    const reason = isUnreached ? 'unreachable' : reasonOf(signOnCause(error));
    return new SignOnError(REFUSALS[reason], reason, { cause: error });
  }
}

const RETRY_AFTER_SECONDS = 5;

type ProviderReason = Exclude<SignOnReason, 'not_started'>;

const REFUSALS: Readonly<Record<ProviderReason, Refusal>> = {
  denied: refusal('unauthorized', {
    at: 'query.error',
    seen: 'a sign-in that the identity provider refuses',
    expected: 'one that it allows; start again',
  }),
  not_confirmed: refusal('unauthorized', {
    at: 'query',
    seen: 'an answer that the identity provider does not confirm',
    expected: 'its answer to this sign-in; start again',
  }),
  misconfigured: refusal(
    'unavailable',
    'The identity provider and this service are not set up for each other. The log of the service has the cause.',
    RETRY_AFTER_SECONDS,
  ),
  unreachable: refusal('unavailable', 'The identity provider does not answer.', RETRY_AFTER_SECONDS),
};

/** Errors of the person or of the provider's rules (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
const DENIED: readonly string[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
];
const FAULTY: readonly string[] = ['server_error', 'temporarily_unavailable'];
/** The token endpoint's word for a code that was used or has expired. */
const USED: readonly string[] = ['invalid_grant'];

function reasonOf({ error, status, code, expected }: SignOnCause): ProviderReason {
  if (error !== undefined) {
    if (DENIED.includes(error)) return 'denied';
    if (FAULTY.includes(error)) return 'unreachable';
    return USED.includes(error) ? 'not_confirmed' : 'misconfigured';
  }
  if (expected !== undefined) return 'misconfigured';
  if (status !== undefined) return status >= 500 || status === 429 ? 'unreachable' : 'misconfigured';
  return code === 'OAUTH_TIMEOUT' ? 'unreachable' : 'not_confirmed';
}

/** The refusal of a way back that belongs to no sign-in. */
export const NO_JOURNEY = new SignOnError(
  refusal('unauthorized', {
    at: 'header.Cookie',
    seen: 'no sign-in that started in this browser and has not ended',
    expected: 'one; start the sign-in again',
  }),
  'not_started',
);
