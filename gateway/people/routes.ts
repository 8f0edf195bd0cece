import { tagged } from '../http/routing/route.ts';
import { acceptInvitationRoute } from './operations/accept-invitation.ts';
import {
  changeEmailRoute,
  changePasswordRoute,
  erasePersonRoute,
  resetPasswordRoute,
} from './operations/account.ts';
import { createInvitationRoute } from './operations/create-invitation.ts';
import { forgotPasswordRoute } from './operations/forgot-password.ts';
import { inspectInvitationRoute } from './operations/inspect-invitation.ts';
import {
  leaveOrganizationRoute,
  listMembersRoute,
  removeMemberRoute,
  setMemberRoleRoute,
} from './operations/members.ts';
import { finishOidcRoute, readSignInOptionsRoute, startOidcRoute } from './operations/oidc.ts';
import { offerOperatorResetRoute, offerResetRoute } from './operations/reset-links.ts';
import { revokeInvitationRoute } from './operations/revoke-invitation.ts';
import {
  endSessionRoute,
  listSessionsRoute,
  readSessionRoute,
  signInRoute,
  signOutRoute,
  switchSessionRoute,
} from './operations/sessions.ts';
import { setUpRoute, signUpRoute } from './operations/sign-up.ts';

/** People who use the console. */
export const peopleRoutes = tagged(
  {
    name: 'People',
    description:
      'People sign in to the console and act for an organization as its owner, admin or member. A session is a cookie that scripts cannot read.',
  },
  [
    setUpRoute,
    signUpRoute,
    readSignInOptionsRoute,
    signInRoute,
    signOutRoute,
    startOidcRoute,
    finishOidcRoute,
    readSessionRoute,
    switchSessionRoute,
    listSessionsRoute,
    endSessionRoute,
    changePasswordRoute,
    changeEmailRoute,
    leaveOrganizationRoute,
    erasePersonRoute,
    forgotPasswordRoute,
    resetPasswordRoute,
    listMembersRoute,
    setMemberRoleRoute,
    removeMemberRoute,
    offerResetRoute,
    offerOperatorResetRoute,
    createInvitationRoute,
    revokeInvitationRoute,
    inspectInvitationRoute,
    acceptInvitationRoute,
  ],
);
