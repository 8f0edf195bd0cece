import { z } from 'zod';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { secretSchema } from '../base/secrets.ts';
import { isoTimeSchema } from '../base/time.ts';
import { roleSchema } from '../organizations/documents.ts';
import { EMAIL_CHARACTERS_MAX, emailSchema } from './email.ts';

/** Length of a new password in characters: length is what makes one strong (NIST SP 800-63B-4, 3.1.1.2). */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;

const newPasswordSchema = z.string().min(PASSWORD_CHARACTERS_MIN).max(PASSWORD_CHARACTERS_MAX);

/** POST `/v1/console/set-up`. */
export const setUpRequestSchema = z.strictObject({
  code: secretSchema('setup'),
  organization: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});

/** POST `/v1/console/sign-in`. Anything that fits may be tried: only the answer tells whether it is right. */
export const signInRequestSchema = z.strictObject({
  email: z.string().min(1).max(EMAIL_CHARACTERS_MAX),
  password: z.string().min(1).max(PASSWORD_CHARACTERS_MAX),
});

/** POST `/v1/console/sign-out`. JSON like every change in the console, so that no form of another site can send it. */
export const signOutRequestSchema = z.strictObject({});

/** The session as its person sees it; the secret is in the cookie only. */
export const sessionSchema = z.strictObject({
  user: z.strictObject({ userId: idSchema('user'), email: z.string() }),
  organizations: z.array(
    z.strictObject({ organizationId: idSchema('organization'), name: nameSchema, role: roleSchema }),
  ),
  /** The organization that this session acts for. */
  organizationId: idSchema('organization'),
  operator: z.boolean(),
  expiresAt: isoTimeSchema,
});

export type SessionAnswer = z.infer<typeof sessionSchema>;
