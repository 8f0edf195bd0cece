import type { Route } from '../http/route.ts';
import { acceptInvitationRoute } from './accept-invitation.ts';
import { changeEmailRoute } from './change-email.ts';
import { changePasswordRoute } from './change-password.ts';
import { createInvitationRoute } from './create-invitation.ts';
import { endSessionRoute } from './end-session.ts';
import { erasePersonRoute } from './erase-person.ts';
import { finishOidcRoute } from './finish-oidc.ts';
import { leaveOrganizationRoute } from './leave-organization.ts';
import { listMembersRoute } from './list-members.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { readSessionRoute } from './read-session.ts';
import { readSignInOptionsRoute } from './read-sign-in-options.ts';
import { removeMemberRoute } from './remove-member.ts';
import { offerOperatorResetRoute, offerResetRoute } from './reset-links.ts';
import { resetPasswordRoute } from './reset-password.ts';
import { revokeInvitationRoute } from './revoke-invitation.ts';
import { setMemberRoleRoute } from './set-member-role.ts';
import { setUpRoute } from './set-up.ts';
import { signInRoute } from './sign-in.ts';
import { signOutRoute } from './sign-out.ts';
import { signUpRoute } from './sign-up.ts';
import { startOidcRoute } from './start-oidc.ts';
import { switchSessionRoute } from './switch-session.ts';

/** People who use the console. */
export const peopleRoutes: readonly Route[] = [
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
  resetPasswordRoute,
  listMembersRoute,
  setMemberRoleRoute,
  removeMemberRoute,
  offerResetRoute,
  offerOperatorResetRoute,
  createInvitationRoute,
  revokeInvitationRoute,
  acceptInvitationRoute,
];
