import { secretDigest } from '../../../schemas/base/secrets.ts';
import { HOUR_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { MAIL_SECRET_NUMBER } from '../../../schemas/mail/documents.ts';
import { forgotPasswordRequestSchema, forgottenPasswordSchema } from '../../../schemas/people/http.ts';
import { visitor } from '../../audiences.ts';
import { throttle } from '../../http/callers/throttle.ts';
import { deriveSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import { refuseWithoutMail } from '../mail.ts';
import { personKeyOf } from '../person-key.ts';

const MAIL_ID_BYTES = 15;

/**
 * Queues a mail with a reset link. No part of the answer, its time included, tells whether the address has an account: the
 * outbox of every address takes the mail, and only later a worker reads whether there is a person.
 */
export const forgotPasswordRoute = visitor.post('/forgot-password', {
  name: 'forgotPassword',
  summary: 'Have a link for a new password mailed',
  description:
    'Mails a one-time link to a person who has forgotten the password. The answer is the same if no person has this address.',
  body: json(forgotPasswordRequestSchema),
  success: {
    status: 202,
    schema: forgottenPasswordSchema,
    description: 'A person with this address gets a mail within minutes',
  },
  errors: ['not_found', 'rate_limited'],
  async handle({ body, addressKey, services, submit }) {
    refuseWithoutMail(services);
    const { secrets, entropy, limits } = services;
    const { forgottenPerAccountHour, forgottenPerAddressHour } = limits.console;
    const personKey = personKeyOf(secrets, body.email);
    await throttle(
      services,
      [
        { key: `forgotten:${personKey}`, limit: forgottenPerAccountHour, windowMs: HOUR_MS },
        { key: `forgotten-address:${addressKey()}`, limit: forgottenPerAddressHour, windowMs: HOUR_MS },
      ],
      {
        at: 'request.rate',
        seen: 'too many requests for a reset link',
        expected: 'fewer; look into the mailbox, or wait',
      },
    );
    const mailId = Buffer.from(entropy.bytes(MAIL_ID_BYTES)).toString('hex');
    const codeDigest = secretDigest(deriveSecret(secrets, 'reset', mailId, MAIL_SECRET_NUMBER));
    await submit({
      topic: 'mail',
      key: personKey,
      type: 'queue',
      digestInput: { personKey },
      input: { mailId, subject: { kind: 'reset', codeDigest } },
    });
    return { body: { linkSeconds: Math.floor(limits.console.resetLinkMs / SECOND_MS) } };
  },
});
