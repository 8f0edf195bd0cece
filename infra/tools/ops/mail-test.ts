import { emailSchema } from '../../../schemas/people/email.ts';
import type { MailFate } from '../../../topics/ports/mailer.ts';
import { readSettings } from '../../service/settings/settings.ts';
import { entropy } from './engine.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';

const ID_BYTES = 15;

const OUTCOMES: Readonly<Record<MailFate, string>> = {
  accepted: 'accepted the message. The address gets it within minutes, or the relay reports why not.',
  postponed: 'did not take the message. The service would repeat it.',
  refused: 'refused the message for good.',
  unknown: 'got the message and did not answer. It may have taken it. The service would repeat it.',
};

/** Sends one message to an address, as the service would. */
export async function mailTest(given: Given): Promise<VerbResult> {
  const to = word(given, 'address');
  if (!emailSchema.safeParse(to).success)
    throw new UsageError(`address: seen ${JSON.stringify(to)}; expected one such as you@example.com`);
  const { mail, hosts } = readSettings(given.environment);
  if (mail === null) throw new UsageError('SVC_SMTP_URL and SVC_MAIL_FROM: seen none; set both');
  const { openSmtpMailer } = await import('../../engines/smtp/mailer.ts');
  const mailer = openSmtpMailer(mail);
  const server = `${mail.host}:${mail.port}`;
  try {
    const text = `This is a test of the service at ${hosts.console}. Its mail arrives here.`;
    const { fate, words } = await mailer.send({
      id: `test-${Buffer.from(entropy.bytes(ID_BYTES)).toString('hex')}`,
      to,
      subject: 'Test of mail',
      text,
      html: `<p>${text}</p>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return {
      data: { server, from: mail.from.address, fate, answer: words },
      lines: [`${server} ${OUTCOMES[fate]}`, ...(words === '' ? [] : [words])],
      failed: fate !== 'accepted',
    };
  } finally {
    await mailer.close();
  }
}
