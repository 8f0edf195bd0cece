import type { Role } from '../../../schemas/organizations/documents.ts';
import { inertName, type MailText, timeInWords } from './mail-text.ts';

interface InvitationFacts {
  readonly console: string;
  readonly link: string;
  readonly organization: string;
  readonly role: Role;
  /** The e-mail address of the person who invites. */
  readonly invitedBy: string;
  readonly endsAt: number;
  readonly now: number;
}

const ROLES: Readonly<Record<Role, string>> = { owner: 'an owner', admin: 'an admin', member: 'a member' };

/** The mail of an invitation. It goes to an address that no one has proved, so it says who invites and what ignoring it does. */
export function invitationText(facts: InvitationFacts): MailText {
  const { console, link, role, invitedBy, endsAt, now } = facts;
  const organization = inertName(facts.organization);
  return {
    subject: `Invitation to “${organization}”`,
    heading: `Join “${organization}”`,
    paragraphs: [
      `A person who signs in as ${invitedBy} invites you to join the organization “${organization}” as ${ROLES[role]} at ${console}.`,
      `The link works once, until ${timeInWords(endsAt, now)}.`,
    ],
    action: { label: 'See the invitation', link },
    notes: [
      `Not you, or unexpected? Ignore this mail. Nothing happens without the link, and no account was made. The service has not verified the address ${invitedBy}.`,
    ],
    console,
  };
}
