/** The reasons for which single sign-on fails, besides those that an error code names. The sign-in page has a sentence for each. */
export const SIGN_ON_REASONS = [
  /** The sign-in started in another browser, or took too long. */
  'not_started',
  /** The provider, or the person there, refuses the sign-in. */
  'denied',
  /** The answer of the provider is not what this service can confirm. */
  'not_confirmed',
  /** The provider refuses this service, or is another one than the settings name. */
  'misconfigured',
  /** The provider does not answer, or answers that it has a fault. */
  'unreachable',
] as const;

export type SignOnReason = (typeof SIGN_ON_REASONS)[number];
