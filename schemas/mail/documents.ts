import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema } from '../base/time.ts';

/** The name of a mail, and of its secret. For an invitation it is the invitation's id. */
export const mailIdSchema = z.string().regex(/^[a-z0-9_]{1,60}$/);

/** The reason of a mail. It names what a worker reads when it writes the text: no address, no secret and no text of a person. */
export const mailSubjectSchema = z.discriminatedUnion('kind', [
  /** A link for a new password, which the person's fold offers. */
  z.strictObject({ kind: z.literal('reset'), codeDigest: sha256Schema }),
  z.strictObject({
    kind: z.literal('invitation'),
    organizationId: idSchema('organization'),
    invitationId: idSchema('invitation'),
  }),
]);

export type MailSubject = z.infer<typeof mailSubjectSchema>;

export type MailKind = MailSubject['kind'];

export const MAIL_KINDS: readonly MailKind[] = mailSubjectSchema.options.map(({ shape }) => shape.kind.value);

const openMailSchema = z.strictObject({
  mailId: mailIdSchema,
  subject: mailSubjectSchema,
  queuedAt: epochMsSchema,
  /** The number of the attempt that is next or under way. */
  attempt: z.int().positive(),
  /** `failed`: its work item is in the dead-letter queue. An operator may send it again. */
  state: z.enum(['waiting', 'failed']),
});

export type OpenMail = z.infer<typeof openMailSchema>;

/** Root document of the table `mail`: the outbox of one address. The aggregate's id is the HMAC of the address. */
export const outboxSchema = z.strictObject({
  /** The mails that are not sent, oldest first. */
  open: z.array(openMailSchema),
});

export type OutboxDocument = z.infer<typeof outboxSchema>;

export const EMPTY_OUTBOX: OutboxDocument = { open: [] };

/** Mails of one address that wait. When another one comes, the oldest leaves the outbox. */
export const OPEN_MAILS_MAX = 20;

/** A secret in a mail is the only one of its mail. */
export const MAIL_SECRET_NUMBER = 1;
