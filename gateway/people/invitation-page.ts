/** The page of the console that an invitation opens. Its code is in the fragment of the address. */
export const INVITATION_PAGE = '/invitation';
