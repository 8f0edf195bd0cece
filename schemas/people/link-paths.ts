/** The page of the console that an invitation opens. */
export const INVITATION_PAGE = '/invitation';

const RESET_PAGE = '/reset';

/** The link of an invitation. Its code is in the fragment, which browsers send to no server. @param console without a trailing slash */
export function invitationLink(console: string, code: string): string {
  return `${console}${INVITATION_PAGE}#${code}`;
}

/** The link with which a person sets a new password, like {@link invitationLink}. */
export function resetLink(console: string, code: string): string {
  return `${console}${RESET_PAGE}#${code}`;
}
