import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { secretSchema } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';
import { roleSchema } from '../organizations/documents.ts';
import { EMAIL_CHARACTERS_MAX, emailSchema } from './email.ts';

/** Length of a new password in characters: length is what makes one strong (NIST SP 800-63B-4, 3.1.1.2). */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;

const newPasswordSchema = textSchema({ min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX });
const triedPasswordSchema = textSchema({ min: 1, max: PASSWORD_CHARACTERS_MAX });

/** POST `/v1/console/set-up`. */
export const setUpRequestSchema = z.strictObject({
  code: secretSchema('setup'),
  organization: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});

/** POST `/v1/console/sign-in`. Anything that fits may be tried: only the answer tells whether it is right. */
export const signInRequestSchema = z.strictObject({
  email: textSchema({ min: 1, max: EMAIL_CHARACTERS_MAX }),
  password: triedPasswordSchema,
});

/** GET `/v1/console/sign-in`: what a page may offer to a person who has not signed in. */
export const signInOptionsSchema = z.strictObject({
  signUp: z.enum(['open', 'invite', 'off']),
  singleSignOn: z.boolean(),
  /** True once the first organization exists: then the set-up link is used up. */
  isSetUp: z.boolean(),
  /** Wrong passwords of one account from one address, and the window that they count in. */
  attempts: z.strictObject({
    limit: z.int().positive(),
    windowSeconds: z.int().positive(),
  }),
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

/** POST `/v1/console/sign-up`. */
export const signUpRequestSchema = z.strictObject({
  organization: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});

/** POST `/v1/console/session`: acts for another organization from now on. */
export const switchSessionRequestSchema = z.strictObject({ organizationId: idSchema('organization') });

/** GET `/v1/console/sessions`: every browser that is signed in as this person. */
export const sessionListSchema = z.strictObject({
  sessions: z.array(
    z.strictObject({
      /** Not a secret: the SHA-256 of one. */
      sessionId: sha256Schema,
      createdAt: isoTimeSchema,
      expiresAt: isoTimeSchema,
      current: z.boolean(),
    }),
  ),
});

/** POST `/v1/console/password`. */
export const changePasswordRequestSchema = z.strictObject({
  current: triedPasswordSchema,
  next: newPasswordSchema,
});

/** POST `/v1/console/email`. */
export const changeEmailRequestSchema = z.strictObject({
  password: z.string().min(1).max(PASSWORD_CHARACTERS_MAX),
  email: emailSchema,
});

/** POST `/v1/console/erase`. A person without a password, who signs in with a provider, leaves it out. */
export const erasePersonRequestSchema = z.strictObject({
  password: z.string().min(1).max(PASSWORD_CHARACTERS_MAX).optional(),
  /** The person's own e-mail address. */
  confirm: z.string().max(EMAIL_CHARACTERS_MAX),
});

/** POST `/v1/console/password/reset`. */
export const resetPasswordRequestSchema = z.strictObject({
  code: secretSchema('reset'),
  password: newPasswordSchema,
});

/** POST `/v1/ops/people/reset-link`. */
export const operatorResetRequestSchema = z.strictObject({ email: emailSchema });

/** A one-time link, shown once. */
export const oneTimeLinkSchema = z.strictObject({ url: z.url(), expiresAt: isoTimeSchema });

/** GET `/v1/console/members`. */
export const memberListSchema = z.strictObject({
  members: z.array(
    z.strictObject({
      userId: idSchema('user'),
      email: z.string(),
      role: roleSchema,
      lastSeenAt: isoTimeSchema.nullable(),
    }),
  ),
  invitations: z.array(
    z.strictObject({ invitationId: idSchema('invitation'), role: roleSchema, expiresAt: isoTimeSchema }),
  ),
});

export const memberSchema = z.strictObject({ userId: idSchema('user'), role: roleSchema });

/** PATCH `/v1/console/members/{userId}`, POST `/v1/console/invitations`. */
export const roleRequestSchema = z.strictObject({ role: roleSchema });

/** POST `/v1/console/invitations`. A repeat under an idempotency key has null in place of the link. */
export const invitationSchema = z.strictObject({
  invitationId: idSchema('invitation'),
  url: z.url().nullable(),
  expiresAt: isoTimeSchema,
});

/**
 * POST `/v1/console/invitations/accept`. With an e-mail address and a password, that person accepts, and is created
 * if the address is new. Without them, the signed-in person accepts.
 */
export const acceptInvitationRequestSchema = z
  .strictObject({
    code: secretSchema('invite'),
    email: emailSchema.optional(),
    password: newPasswordSchema.optional(),
  })
  .check(({ value: { email, password }, value, issues }) => {
    if ((email === undefined) === (password === undefined)) return;
    const [missing, other] = email === undefined ? ['email', 'password'] : ['password', 'email'];
    issues.push({
      code: 'custom',
      input: value,
      path: [missing],
      message: `expected one, because ${other} is there`,
    });
  })
  .register(wireForms, { adds: { dependentRequired: { email: ['password'], password: ['email'] } } });
