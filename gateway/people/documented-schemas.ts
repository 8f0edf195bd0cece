import { roleSchema } from '../../schemas/organizations/documents.ts';
import {
  acceptInvitationRequestSchema,
  changeEmailRequestSchema,
  changePasswordRequestSchema,
  erasePersonRequestSchema,
  invitationSchema,
  memberListSchema,
  memberSchema,
  oneTimeLinkSchema,
  operatorResetRequestSchema,
  resetPasswordRequestSchema,
  roleRequestSchema,
  sessionListSchema,
  sessionSchema,
  setUpRequestSchema,
  signInOptionsSchema,
  signInRequestSchema,
  signOutRequestSchema,
  signUpRequestSchema,
  switchSessionRequestSchema,
} from '../../schemas/people/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES, exampleSecret } from '../http/example-values.ts';

const { userId, organizationId, invitationId, email, password, at } = EXAMPLES;
const CONSOLE = 'https://console.example.com';
const IN_A_WEEK = '2026-09-14T10:00:00.000Z';
const PASSWORD = 'The new password: 12 to 200 characters of any kind.';
const MEMBER = { userId, email, role: 'owner' as const, lastSeenAt: at };
const INVITED = { invitationId, role: 'member' as const, expiresAt: IN_A_WEEK };
const BROWSER = {
  sessionId: EXAMPLES.sessionId,
  createdAt: at,
  expiresAt: '2026-09-07T22:00:00.000Z',
  current: true,
};
const OWN = { organizationId, name: 'Example', role: 'owner' as const };

const requests = [
  nameSchema(
    'SetUpRequest',
    setUpRequestSchema,
    'The first organization and its owner.',
    { code: exampleSecret('setup'), organization: 'Example', email, password },
    {
      code: 'The code in the fragment of the set-up link.',
      organization: 'The name of the organization.',
      password: PASSWORD,
    },
  ),
  nameSchema(
    'SignUpRequest',
    signUpRequestSchema,
    'A person with an organization.',
    { organization: 'Example', email, password },
    { organization: 'The name of the organization.', password: PASSWORD },
  ),
  nameSchema(
    'SignInRequest',
    signInRequestSchema,
    'The credentials of a person.',
    { email, password },
    {
      password: 'The password.',
    },
  ),
  nameSchema('EmptyRequest', signOutRequestSchema, 'An empty object.', {}),
  nameSchema(
    'SwitchSessionRequest',
    switchSessionRequestSchema,
    'The organization to act for.',
    { organizationId },
    { organizationId: 'An organization of the person.' },
  ),
  nameSchema(
    'ChangePasswordRequest',
    changePasswordRequestSchema,
    'The current and the next password.',
    { current: password, next: 'a longer horse battery staple' },
    { current: 'The current password.', next: PASSWORD },
  ),
  nameSchema(
    'ChangeEmailRequest',
    changeEmailRequestSchema,
    'The next e-mail address.',
    { password, email: 'ada.lovelace@example.com' },
    { password: 'The current password.', email: 'The next address.' },
  ),
  nameSchema(
    'ErasePersonRequest',
    erasePersonRequestSchema,
    'Confirms the erasure of the person.',
    { password, confirm: email },
    {
      password: 'The current password. People who sign in with an identity provider leave it out.',
      confirm: 'The e-mail address of the person.',
    },
  ),
  nameSchema(
    'ResetPasswordRequest',
    resetPasswordRequestSchema,
    'A new password.',
    { code: exampleSecret('reset'), password },
    { code: 'The code in the fragment of the one-time link.', password: PASSWORD },
  ),
  nameSchema('OperatorResetRequest', operatorResetRequestSchema, 'The person who needs a new password.', {
    email,
  }),
  nameSchema('RoleRequest', roleRequestSchema, 'A role.', { role: 'member' }),
  nameSchema(
    'AcceptInvitationRequest',
    acceptInvitationRequestSchema,
    'An invitation and the person who accepts it.',
    { code: exampleSecret('invite'), email: 'grace@example.com', password },
    {
      code: 'The code in the fragment of the invitation.',
      email: 'The address to sign in with. Goes with `password`.',
      password: 'The password of the person, or the new one. Goes with `email`.',
    },
  ),
];

const answers = [
  nameSchema(
    'SignInOptions',
    signInOptionsSchema,
    'What a page may offer to a person who has not signed in.',
    { signUp: 'invite', singleSignOn: false, isSetUp: true, attempts: { limit: 10, windowSeconds: 900 } },
    {
      signUp:
        '`open`: everybody may sign up. `invite`: with an invitation only. `off`: like `invite`, and single sign-on makes no new person.',
      singleSignOn: 'True if an identity provider is configured.',
      isSetUp: 'True once the first organization exists. The set-up link works only before.',
      attempts: 'Wrong passwords for one account from one address.',
    },
  ),
  nameSchema(
    'SignInAttempts',
    signInOptionsSchema.shape.attempts,
    'Wrong passwords for one account from one address.',
    { limit: 10, windowSeconds: 900 },
    {
      limit: 'The attempts before a pause.',
      windowSeconds: 'The time in which attempts count together, in seconds. The pause ends with it.',
    },
  ),
  nameSchema(
    'Session',
    sessionSchema,
    'The session of a person. Its secret is in the cookie only.',
    {
      user: { userId, email },
      organizations: [OWN],
      organizationId,
      operator: false,
      expiresAt: BROWSER.expiresAt,
    },
    {
      organizations: 'The organizations of the person.',
      organizationId: 'The organization that the session acts for.',
      operator: 'True if that organization operates the service.',
    },
  ),
  nameSchema('Person', sessionSchema.shape.user, 'A person.', { userId, email }),
  nameSchema(
    'Membership',
    sessionSchema.shape.organizations.element,
    'An organization and the role in it.',
    OWN,
  ),
  nameSchema(
    'SessionList',
    sessionListSchema,
    'The sessions of a person.',
    { sessions: [BROWSER] },
    {
      sessions: 'The sessions, newest first.',
    },
  ),
  nameSchema(
    'SignedInBrowser',
    sessionListSchema.shape.sessions.element,
    'A session in one browser.',
    BROWSER,
    {
      sessionId: 'The session. It is no secret.',
      current: 'True for the session of this request.',
    },
  ),
  nameSchema(
    'OneTimeLink',
    oneTimeLinkSchema,
    'A link that works once. Only this answer has it.',
    { url: `${CONSOLE}/reset#${exampleSecret('reset')}`, expiresAt: '2026-09-07T11:00:00.000Z' },
    { url: 'The link to give to the person.' },
  ),
  nameSchema(
    'MemberList',
    memberListSchema,
    'The people of an organization.',
    { members: [MEMBER], invitations: [INVITED] },
    { members: 'The members.', invitations: 'The open invitations.' },
  ),
  nameSchema('ListedMember', memberListSchema.shape.members.element, 'A member as lists show it.', MEMBER, {
    lastSeenAt: 'The time of the latest use of the console, in UTC; null if it is not known.',
  }),
  nameSchema('OpenInvitation', memberListSchema.shape.invitations.element, 'An open invitation.', INVITED),
  nameSchema('Member', memberSchema, 'A member with its role.', { userId, role: 'admin' }),
  nameSchema(
    'Invitation',
    invitationSchema,
    'An invitation with its link.',
    { invitationId, url: `${CONSOLE}/invitation#${exampleSecret('invite')}`, expiresAt: IN_A_WEEK },
    { url: 'The link to give to the person. Only the first answer has it; a repeat has null.' },
  ),
  nameSchema(
    'Role',
    roleSchema,
    '`owner`: everything. `admin`: everything except what only owners may. `member`: metadata and counts.',
    'member',
  ),
];

export const peopleSchemas = [...requests, ...answers];
