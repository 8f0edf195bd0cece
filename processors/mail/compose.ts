import { derivedSecretMatching } from '../../schemas/base/derived-secret.ts';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { MAIL_SECRET_NUMBER, type MailSubject, type OpenMail } from '../../schemas/mail/documents.ts';
import { invitationAddressBlob } from '../../schemas/organizations/blobs.ts';
import {
  invitationDocumentSchema,
  organizationDocumentSchema,
} from '../../schemas/organizations/documents.ts';
import { invitationLink, resetLink } from '../../schemas/people/link-paths.ts';
import { findBlob } from '../../topics/ports/blob-bytes.ts';
import type { MailMessage } from '../../topics/ports/mailer.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import { readMember, readPerson, readRoot, readRow } from './reading.ts';
import { invitationText } from './texts/invitation.ts';
import { renderMail } from './texts/layout.ts';
import { resetText } from './texts/reset.ts';

/** The dependencies of the texts of mails. */
export interface ComposeDependencies extends Pick<ProcessorDependencies, 'store' | 'blobs' | 'clock'> {
  /** The address of the console, without a trailing slash. */
  readonly console: string;
  readonly secrets: MailSecrets;
}

/** `SVC_SECRET` and the one before it, which derive the secrets of links. */
export interface MailSecrets {
  readonly secret: string;
  readonly previous: string | null;
}

type Message = Omit<MailMessage, 'id'>;

/** Writes a mail from what is stored now. Returns null if the mail is not needed any more: its link would open nothing. */
export async function composeMail(
  { mailId, subject }: OpenMail,
  outbox: string,
  dependencies: ComposeDependencies,
): Promise<Message | null> {
  return subject.kind === 'reset'
    ? await composeReset(mailId, subject, outbox, dependencies)
    : await composeInvitation(mailId, subject, dependencies);
}

async function composeReset(
  mailId: string,
  { codeDigest }: Extract<MailSubject, { kind: 'reset' }>,
  outbox: string,
  dependencies: ComposeDependencies,
): Promise<Message | null> {
  const { clock, console, secrets } = dependencies;
  const found = await readPerson(dependencies, outbox);
  const reset = found?.person.reset ?? null;
  if (found === null || reset === null || found.identity.passwordVerifier === null) return null;
  const now = clock.now();
  if (now >= reset.expiresAt || !digestsEqual(reset.digest, codeDigest)) return null;
  const code = secretOf(secrets, 'reset', mailId, codeDigest);
  if (code === null) return null;
  const text = resetText({ console, link: resetLink(console, code), endsAt: reset.expiresAt, now });
  return { to: found.identity.email, ...renderMail(text) };
}

async function composeInvitation(
  mailId: string,
  { organizationId, invitationId }: Extract<MailSubject, { kind: 'invitation' }>,
  dependencies: ComposeDependencies,
): Promise<Message | null> {
  const { store, blobs, clock, console, secrets } = dependencies;
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const row = { kind: 'invitation', id: invitationId, schema: invitationDocumentSchema };
  const [organization, invitation, to] = await Promise.all([
    readRoot(store, aggregate, organizationDocumentSchema),
    readRow(store, aggregate, row),
    findBlob(blobs, invitationAddressBlob(organizationId, invitationId)),
  ]);
  if (organization?.state !== 'active' || invitation === null || to === null) return null;
  const now = clock.now();
  if (invitation.acceptedBy !== null || now >= invitation.expiresAt) return null;
  const { createdBy, digest, role, expiresAt } = invitation;
  const inviter = createdBy === undefined ? null : await readMember(dependencies, organizationId, createdBy);
  const code = secretOf(secrets, 'invite', mailId, digest);
  // The person who invites is named in the mail. One who has left invites no one.
  if (code === null || inviter === null) return null;
  const link = invitationLink(console, code);
  const { email, subject = 'a person' } = inviter.identity;
  const invitedBy = email === '' ? subject : email;
  const facts = { console, link, organization: organization.name, role, invitedBy, endsAt: expiresAt, now };
  const text = invitationText(facts);
  return { to: to.toString('utf8'), ...renderMail(text) };
}

function secretOf({ secret, previous }: MailSecrets, kind: 'reset' | 'invite', id: string, digest: string) {
  return derivedSecretMatching([secret, previous], { kind, id, number: MAIL_SECRET_NUMBER }, digest);
}
