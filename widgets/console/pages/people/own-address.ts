import { parseUrl } from '../../../shared/parse-url.ts';

/** The page that opens for a person who asked for no other. */
export const HOME = '/agent-workspaces';

/** The page that ends a sign-in of another tab. */
export const SIGNED_IN = '/signed-in';

/** The page of an invitation, which keeps its code. */
export const INVITATION = '/invitation';

/** The name of the claim, whose link and code its page keeps. */
export const CLAIM = 'the claim';

/** The name of the invitation, whose code its page keeps. */
export const INVITED = 'the invitation';

/** Parts of the console by the start of their addresses, as the sign-in page names them. */
const PLACES: readonly (readonly [start: string, name: string])[] = [
  ['/claim', CLAIM],
  ['/agent-workspaces/claim', CLAIM],
  [INVITATION, INVITED],
  ['/agent-workspaces/', 'the workspace'],
  ['/keys', 'Keys'],
  ['/members', 'Members'],
  ['/audit', 'Audit'],
  ['/settings', 'Settings'],
];

/** Only an address of this console is followed: a link may not lead a person who signs in to another site. */
export function ownAddress(wanted: string | null, origin: string): string {
  if (wanted === null) return HOME;
  const url = parseUrl(wanted, origin);
  return url !== null && url.origin === origin ? url.pathname + url.search + url.hash : HOME;
}

/** The name of the page at an address, or null for the page that everybody starts on. */
export function placeName(address: string): string | null {
  return PLACES.find(([start]) => address.startsWith(start))?.[1] ?? null;
}
