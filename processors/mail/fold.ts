import type { Limits } from '../../schemas/limits.ts';
import { mailCommands } from '../../schemas/mail/commands.ts';
import { EMPTY_OUTBOX, outboxSchema } from '../../schemas/mail/documents.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import type { MailFold } from './mail-fold.ts';
import { forgetMails, giveUpMail, postponeMail, queueMail, sendMailAgain, settleMail } from './outbox.ts';

/** The fold of outboxes: each one aggregate, keyed by the address's HMAC. */
export function createMailFold(limits: Limits): AnyFold {
  return defineFold<MailFold>({
    topic: 'mail',
    commands: mailCommands,
    rootSchema: outboxSchema,
    rowSchemas: {},
    emptyRoot: EMPTY_OUTBOX,
    limits,
    handlers: {
      queue: queueMail,
      settle: settleMail,
      postpone: postponeMail,
      'send-again': sendMailAgain,
      'give-up': giveUpMail,
      forget: forgetMails,
    },
  });
}
