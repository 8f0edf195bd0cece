import { z } from 'zod';
import { sha256Hex, sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { exampleSecret, triedSecretSchema } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { wireForms } from '../base/wire.ts';
import { roleSchema } from '../organizations/documents.ts';
import { browserNameSchema } from './browser-name.ts';
import { EMAIL_CHARACTERS_MAX, emailSchema } from './email.ts';

/** Length of a new password in characters: length is what makes one strong (NIST SP 800-63B-4, 3.1.1.2). */
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;

const PASSWORD_EXAMPLE = 'correct horse battery staple';

const newPasswordSchema = textSchema({ min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX }).meta({
  description: `The new password: ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters of any kind.`,
  example: PASSWORD_EXAMPLE,
});
const triedPasswordSchema = textSchema({ min: 1, max: PASSWORD_CHARACTERS_MAX }).meta({
  description: 'The current password.',
  example: PASSWORD_EXAMPLE,
});
const organization = nameSchema.meta({ description: 'The name of the organization.', example: 'Example' });
const FOR_WHOM_EXAMPLE = 'Grace, design';
/** An e-mail address, or a subject at a provider (OpenID Connect Core 1.0, section 2). */
const CONFIRM_CHARACTERS_MAX = 255;
const email = z.string().meta({
  description: 'The e-mail address. It is empty for a person without one.',
  example: 'ada@example.com',
});
const userId = idSchema('user');
const subject = z.string().nullable().meta({
  description:
    'The subject at the identity provider of a person whose address the provider does not name; null for everyone else.',
  example: null,
});
const hasPassword = z.boolean().meta({
  description: 'False for a person who signs in with an identity provider only.',
  example: true,
});
const invitationId = idSchema('invitation');
const organizationId = idSchema('organization');
const invitationEnd = isoTimeSchema.meta({ example: '2026-09-14T10:00:00.000Z' });

export const setUpRequestSchema = z
  .strictObject({
    code: triedSecretSchema('setup').describe('The code in the fragment of the set-up link.'),
    organization,
    email: emailSchema,
    password: newPasswordSchema,
  })
  .meta({ id: 'SetUpRequest', description: 'The first organization and its owner.' });

/** POST `/v1/console/sign-in`. Anything that fits may be tried: only the answer tells whether it is right. */
export const signInRequestSchema = z
  .strictObject({
    email: textSchema({ min: 1, max: EMAIL_CHARACTERS_MAX }).meta({ example: 'ada@example.com' }),
    password: triedPasswordSchema,
  })
  .meta({ id: 'SignInRequest', description: 'The credentials of a person.' });

const attemptsSchema = z
  .strictObject({
    limit: z.int().positive().meta({ description: 'The attempts before a pause.', example: 10 }),
    windowSeconds: z.int().positive().meta({
      description: 'The time in which attempts count together, in seconds. The pause ends with it.',
      example: 900,
    }),
  })
  .meta({
    id: 'SignInAttempts',
    description: 'The number of wrong passwords for one account from one address.',
  });

/** GET `/v1/console/sign-in`: what a page may offer to a person who has not signed in. */
export const signInOptionsSchema = z
  .strictObject({
    signUp: z.enum(['open', 'invite', 'off']).meta({
      description:
        '`open`: everyone may sign up. `invite`: with an invitation only. `off`: like `invite`, and single sign-on makes no new person.',
      example: 'invite',
    }),
    singleSignOn: z.boolean().describe('True if an identity provider is configured.'),
    mail: z.boolean().meta({
      description: 'True if the service sends mail: a reset link for a forgotten password, and invitations.',
      example: true,
    }),
    isSetUp: z.boolean().meta({
      description: 'True once the first organization exists. The set-up link works only before.',
      example: true,
    }),
    attempts: attemptsSchema,
  })
  .meta({
    id: 'SignInOptions',
    description: 'What a page may offer to a person who has not signed in.',
  });

/** POST `/v1/console/sign-out`. JSON like every change in the console, so that no form of another site can send it. */
export const signOutRequestSchema = z
  .strictObject({})
  .meta({ id: 'EmptyRequest', description: 'An empty object.' });

const membershipSchema = z
  .strictObject({ organizationId, name: nameSchema.meta({ example: 'Example' }), role: roleSchema })
  .meta({ id: 'Membership', description: 'An organization and the role in it.' });

/** The session as its person sees it; the secret is in the cookie only. */
export const sessionSchema = z
  .strictObject({
    user: z
      .strictObject({ userId, email, subject, hasPassword })
      .meta({ id: 'Person', description: 'A person.' }),
    organizations: z.array(membershipSchema),
    organizationId: organizationId.describe('The organization that the session acts for.'),
    operator: z.boolean().describe('True if that organization operates the service.'),
    expiresAt: isoTimeSchema.meta({ example: '2026-09-07T22:00:00.000Z' }),
  })
  .meta({
    id: 'Session',
    description: 'The session of a person. Its secret is in the cookie only.',
  });

export type SessionAnswer = z.infer<typeof sessionSchema>;

export const signUpRequestSchema = z
  .strictObject({ organization, email: emailSchema, password: newPasswordSchema })
  .meta({ id: 'SignUpRequest', description: 'A person with an organization.' });

/** POST `/v1/console/session`: acts for another organization from now on. */
export const switchSessionRequestSchema = z
  .strictObject({ organizationId: organizationId.describe('An organization of the person.') })
  .meta({ id: 'SwitchSessionRequest', description: 'The organization to act for.' });

/** A session without its secret. */
export const sessionIdSchema = sha256Schema.meta({
  description: 'The session, as the list of sessions names it. It is not secret: the SHA-256 of a secret.',
  get example() {
    return sha256Hex('example session');
  },
});

/** GET `/v1/console/sessions`: every browser that is signed in as this person. */
export const sessionListSchema = z
  .strictObject({
    sessions: z
      .array(
        z
          .strictObject({
            sessionId: sessionIdSchema,
            createdAt: isoTimeSchema,
            expiresAt: isoTimeSchema.meta({ example: '2026-09-07T22:00:00.000Z' }),
            browser: browserNameSchema.nullable().meta({
              description: 'The browser and its system; null for an unknown one.',
              example: 'Firefox on Windows',
            }),
            current: z.boolean().meta({
              description: 'True for the session of this request.',
              example: true,
            }),
          })
          .meta({ id: 'SignedInBrowser', description: 'A session in one browser.' }),
      )
      .describe('The sessions, newest first.'),
  })
  .meta({ id: 'SessionList', description: 'The sessions of a person.' });

export const changePasswordRequestSchema = z
  .strictObject({
    current: triedPasswordSchema,
    next: newPasswordSchema.meta({ example: 'a longer horse battery staple' }),
  })
  .meta({ id: 'ChangePasswordRequest', description: 'The current and the next password.' });

const currentPasswordSchema = z.string().min(1).max(PASSWORD_CHARACTERS_MAX);

export const changeEmailRequestSchema = z
  .strictObject({
    password: currentPasswordSchema.meta({
      description: 'The current password.',
      example: PASSWORD_EXAMPLE,
    }),
    email: emailSchema.meta({
      description: 'The next address.',
      example: 'ada.lovelace@example.com',
    }),
  })
  .meta({ id: 'ChangeEmailRequest', description: 'The next e-mail address.' });

export const erasePersonRequestSchema = z
  .strictObject({
    password: currentPasswordSchema.optional().meta({
      description: 'The current password. People who sign in with an identity provider leave it out.',
      example: PASSWORD_EXAMPLE,
    }),
    confirm: textSchema({ max: CONFIRM_CHARACTERS_MAX }).meta({
      description:
        'The e-mail address of the person. A person without one gives `subject`, and without a subject `userId`.',
      example: 'ada@example.com',
    }),
  })
  .meta({ id: 'ErasePersonRequest', description: 'Confirms the erasure of the person.' });

export const resetPasswordRequestSchema = z
  .strictObject({
    code: triedSecretSchema('reset').describe('The code in the fragment of the one-time link.'),
    password: newPasswordSchema,
  })
  .meta({ id: 'ResetPasswordRequest', description: 'A new password.' });

/** POST `/v1/console/forgot-password`. */
export const forgotPasswordRequestSchema = z
  .strictObject({ email: emailSchema })
  .meta({ id: 'ForgotPasswordRequest', description: 'The person who has forgotten the password.' });

/** The answer to it, whether the person exists or not. */
export const forgottenPasswordSchema = z
  .strictObject({
    linkSeconds: z
      .int()
      .positive()
      .meta({ description: 'The lifetime of a link that is mailed, in seconds.', example: 3_600 }),
  })
  .meta({ id: 'ForgottenPassword', description: 'The same for every address.' });

export const operatorResetRequestSchema = z
  .strictObject({ email: emailSchema })
  .meta({ id: 'OperatorResetRequest', description: 'The person who needs a new password.' });

/** A one-time link, shown once. */
export const oneTimeLinkSchema = z
  .strictObject({
    url: z.url().meta({
      description: 'The link to give to the person.',
      get example() {
        return `https://console.example.com/reset#${exampleSecret('reset')}`;
      },
    }),
    expiresAt: isoTimeSchema.meta({ example: '2026-09-07T11:00:00.000Z' }),
  })
  .meta({ id: 'OneTimeLink', description: 'A link that works once. Only this answer has it.' });

const listedMemberSchema = z
  .strictObject({
    userId,
    email,
    subject,
    erased: z
      .boolean()
      .meta({ description: 'True if the person was erased and is about to leave.', example: false }),
    role: roleSchema,
    hasPassword,
    lastSeenAt: isoTimeSchema
      .nullable()
      .describe('The time of the latest use of the console; null if it is not known.'),
  })
  .meta({ id: 'ListedMember', description: 'A member as lists show it.' });

/** GET `/v1/console/members`. */
export const memberListSchema = z
  .strictObject({
    members: z.array(listedMemberSchema),
    invitations: z.array(
      z
        .strictObject({
          invitationId,
          role: roleSchema.meta({ example: 'member' }),
          forWhom: z.string().nullable().meta({
            description: 'For whom it is. It is private: null for members, and if its maker did not say it.',
            example: FOR_WHOM_EXAMPLE,
          }),
          expiresAt: invitationEnd,
        })
        .meta({ id: 'OpenInvitation', description: 'An open invitation.' }),
    ),
    ...unreadableMember,
  })
  .meta({
    id: 'MemberList',
    description: 'The people of an organization, and its open invitations.',
  });

export const memberSchema = z
  .strictObject({ userId, role: roleSchema.meta({ example: 'admin' }) })
  .meta({ id: 'Member', description: 'A member with its role.' });

/** PATCH `/v1/console/members/{userId}`. */
export const roleRequestSchema = z
  .strictObject({ role: roleSchema.meta({ example: 'member' }) })
  .meta({ id: 'RoleRequest', description: 'A role.' });

/** POST `/v1/console/invitations`. */
export const inviteRequestSchema = roleRequestSchema
  .extend({
    forWhom: nameSchema.optional().meta({
      description:
        'For whom the invitation is, in the list of open invitations. Only owners and admins see it, and it ends with the invitation.',
      example: FOR_WHOM_EXAMPLE,
    }),
    email: emailSchema.optional().meta({
      description:
        'The address that the service mails the link to, with your address as the person who invites. Without it, you pass the link on.',
    }),
  })
  .meta({ id: 'InviteRequest', description: 'An invitation to make.' });

/** The answer to it. */
export const invitationSchema = z
  .strictObject({
    invitationId,
    url: z
      .url()
      .nullable()
      .meta({
        description: 'The link to give to the person. Only the first answer has it; a repeat has null.',
        get example() {
          return `https://console.example.com/invitation#${exampleSecret('invite')}`;
        },
      }),
    expiresAt: invitationEnd,
  })
  .meta({ id: 'Invitation', description: 'An invitation with its link.' });

const invitationCode = triedSecretSchema('invite').describe('The code in the fragment of the invitation.');

/** POST `/v1/console/invitations/inspect`. */
export const inspectInvitationRequestSchema = z
  .strictObject({ code: invitationCode })
  .meta({ id: 'InspectInvitationRequest', description: 'The code of an invitation.' });

/** The answer to it. */
export const inspectedInvitationSchema = z
  .strictObject({
    organization: nameSchema.meta({ description: 'The organization that one joins.', example: 'Northwind' }),
    role: roleSchema.meta({ description: 'The role that one gets.', example: 'member' }),
    invitedBy: z.string().nullable().meta({
      description:
        'The e-mail address of the person who made it, or without one the subject at the identity provider; null if that person has left.',
      example: 'ada@example.com',
    }),
    expiresAt: invitationEnd,
  })
  .meta({ id: 'InspectedInvitation', description: 'An open invitation as the invited person sees it.' });

/**
 * POST `/v1/console/invitations/accept`. With an e-mail address and a password, that person accepts, and is created
 * if the address is new. Without them, the signed-in person accepts.
 */
export const acceptInvitationRequestSchema = z
  .strictObject({
    code: invitationCode,
    email: emailSchema.optional().meta({
      description: 'The address to sign in with. Goes with `password`.',
      example: 'grace@example.com',
    }),
    password: newPasswordSchema.optional().meta({
      description: 'The password of the person, or the new one. Goes with `email`.',
      example: PASSWORD_EXAMPLE,
    }),
  })
  .check(({ value: { email: address, password }, value, issues }) => {
    if ((address === undefined) === (password === undefined)) return;
    const [missing, other] = address === undefined ? ['email', 'password'] : ['password', 'email'];
    issues.push({
      code: 'custom',
      input: value,
      path: [missing],
      message: `expected one, because ${other} is there`,
    });
  })
  .register(wireForms, { adds: { dependentRequired: { email: ['password'], password: ['email'] } } })
  .meta({
    id: 'AcceptInvitationRequest',
    description: 'An invitation and the person who accepts it.',
  });
