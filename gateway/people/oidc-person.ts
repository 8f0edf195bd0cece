import { z } from 'zod';
import { EMAIL_CHARACTERS_MAX } from '../../schemas/people/email.ts';

/** The person as the provider identifies them: issuer and subject are the identity. The address is for display alone. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Null if the provider names none. */
  readonly email: string | null;
  /** The error for which the provider's userinfo could not be read; absent: it was read, or not needed. */
  readonly userinfoError?: unknown;
}

type Claims = Readonly<Record<string, unknown>> | undefined;

const subjectSchema = z.looseObject({ iss: z.string().min(1), sub: z.string().min(1).max(255) });

/** @throws {z.ZodError} for claims without an issuer or a subject that can be kept */
export function readSubject(claims: Claims): Pick<OidcPerson, 'issuer' | 'subject'> {
  const { iss, sub } = subjectSchema.parse(claims);
  return { issuer: iss, subject: sub };
}

/** A claim of any other form counts as absent: a claim for display does not decide about a sign-in. */
const emailSchema = z.looseObject({
  email: z.string().trim().min(1).max(EMAIL_CHARACTERS_MAX).nullable().catch(null),
});

/**
 * Reads the address of a person. Without one in the ID token the provider is asked for its userinfo (OpenID Connect Core 1.0,
 * section 5.3).
 *
 * @returns no address where the userinfo cannot be read, and the error
 */
export async function readEmail(
  claims: Claims,
  readUserinfo: () => Promise<Claims>,
): Promise<Pick<OidcPerson, 'email' | 'userinfoError'>> {
  const { email } = emailSchema.parse(claims);
  if (email !== null) return { email };
  try {
    return { email: emailSchema.parse(await readUserinfo()).email };
  } catch (userinfoError) {
    return { email: null, userinfoError };
  }
}
