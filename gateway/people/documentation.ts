import type { ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { peopleSchemas } from './documented-schemas.ts';

/** The texts about people and organizations in the OpenAPI document. */
export const peopleDocumentation: ProductDocumentation = {
  tag: {
    name: 'People',
    description:
      'People sign in to the console and act for an organization as its owner, admin or member. A session is a cookie that scripts cannot read.',
  },
  parameters: {
    userId: { description: 'A member of the organization.', example: EXAMPLES.userId },
    invitationId: { description: 'An open invitation of the organization.', example: EXAMPLES.invitationId },
    organizationId: { description: 'An organization of the person.', example: EXAMPLES.organizationId },
    sessionId: {
      description: 'A session of the person, from the list of sessions.',
      example: EXAMPLES.sessionId,
    },
    return: {
      description: 'The path of the console to open after the sign-in.',
      example: '/agent-workspaces',
    },
  },
  schemas: peopleSchemas,
  operations: {
    setUp: {
      description:
        'Creates the first organization, which operates the service, and its owner. It takes the code of the set-up link, which works once.',
    },
    signUp: {
      description:
        'Creates a person with an organization, if the service admits it. Otherwise the answer is 403 `forbidden`.',
    },
    readSignInOptions: {
      description:
        'Returns what a page may offer to a person who has not signed in: sign-up, single sign-on, and the attempts before a pause.',
    },
    signIn: {
      description:
        'Signs a person in and sets the session cookie. Failed attempts are limited by account and address.',
    },
    signOut: { description: 'Ends the session and removes the cookie. It needs no valid session.' },
    startOidc: {
      description:
        'Redirects to the identity provider. Without a configured provider the answer is 404. With `Accept: text/html` an error redirects to the sign-in page, which names its code.',
    },
    finishOidc: {
      description:
        'Receives the answer of the identity provider, signs the person in and redirects to the console. With `Accept: text/html` an error redirects to the sign-in page, which names its code.',
    },
    readSession: { description: 'Returns the person and the organization that the session acts for.' },
    switchSession: { description: 'Lets the session act for another organization of the person.' },
    listSessions: { description: 'Returns every session of the person, newest first.' },
    endSession: { description: 'Signs one browser of the person out. A repeat changes nothing.' },
    changePassword: { description: 'Sets another password and ends every other session.' },
    changeEmail: {
      description: 'Changes the e-mail address with which the person signs in, and ends every other session.',
    },
    leaveOrganization: { description: 'Ends the membership of the person. The last owner cannot leave.' },
    erasePerson: {
      description:
        'Leaves every organization and erases the person. The only owner of an organization cannot be erased.',
    },
    resetPassword: {
      description: 'Sets a new password with the code of a one-time link, and ends every session.',
    },
    listMembers: { description: 'Returns the members of the organization and its open invitations.' },
    setMemberRole: {
      description: 'Changes the role of a member. Admins cannot change owners, and the last owner stays one.',
    },
    removeMember: {
      description:
        'Removes a member and ends its sessions for the organization. Every member can remove itself.',
    },
    offerReset: {
      description: 'Creates a one-time link with which a member sets a new password. A former link ends.',
    },
    offerOperatorReset: {
      description: 'Creates a one-time link with which any person sets a new password. A former link ends.',
    },
    createInvitation: {
      description: 'Creates a one-time link with which one person joins the organization.',
    },
    revokeInvitation: { description: 'Ends an open invitation.' },
    acceptInvitation: {
      description:
        'Joins the organization of an invitation and signs in. With `email` and `password` it is for that person, who is created if there is none; without them, for the person of the session cookie.',
    },
  },
};
