// Reads: outboxes, and what their mails are about. Sends: mails. Writes: commands that report what became of them.
import type { CommandOf } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { mailItems } from '../../schemas/mail/commands.ts';
import { EMPTY_OUTBOX, type OpenMail, outboxSchema } from '../../schemas/mail/documents.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Mailer } from '../../topics/ports/mailer.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import type { CommandEffect } from '../runtime/fold/fold.ts';
import { commandTo } from '../runtime/fold/results.ts';
import { type AnyWork, defineWork } from '../runtime/work/work-handler.ts';
import { type ComposeDependencies, composeMail } from './compose.ts';
import { readRoot } from './reading.ts';

/** Items of one partition at the same time: a slow server keeps others of its partition waiting no longer than one attempt. */
const MAILS_AT_ONCE = 8;

/** An item that fails is given up at once: the pauses between attempts are those of the outbox. */
const ATTEMPTS_MAX = 1;

/** Time after which a mail that the server does not take is left to the operator. */
const GIVEN_UP_AFTER_MS = DAY_MS;

/** As long as the log keeps the items. */
const SENT_KEPT_MS = 14 * DAY_MS;

type SenderDependencies = Pick<
  ProcessorDependencies,
  'store' | 'blobs' | 'digestIndex' | 'clock' | 'logger' | 'meter'
>;

export interface SenderOptions extends Omit<ComposeDependencies, 'store' | 'blobs' | 'clock'> {
  readonly mailer: Mailer;
}

type Item = CommandOf<typeof mailItems>;

/** Makes the attempts to send mails, each after it has read again whether the mail is still needed. */
export function mailSender(dependencies: SenderDependencies, options: SenderOptions): AnyWork {
  return defineWork({
    topic: 'mail-sends',
    items: mailItems,
    itemsAtOnce: MAILS_AT_ONCE,
    attemptsMax: ATTEMPTS_MAX,
    handle: (item, leaving) => attempt(item, dependencies, options, leaving),
    failed: ({ input: { outbox, mailId } }) =>
      commandTo({ topic: 'mail', key: outbox, type: 'give-up', input: { mailId } }),
  });
}

async function attempt(
  { input }: Item,
  dependencies: SenderDependencies,
  options: SenderOptions,
  leaving: AbortSignal,
): Promise<CommandEffect | null> {
  const { store, clock, logger, meter } = dependencies;
  const { outbox, mailId } = input;
  const { open } = (await readRoot(store, { table: 'mail', id: outbox }, outboxSchema)) ?? EMPTY_OUTBOX;
  const mail = open.find((each) => each.mailId === mailId);
  if (mail === undefined || mail.attempt !== input.attempt) return null;
  const settle = commandTo({ topic: 'mail', key: outbox, type: 'settle', input: { mailId } });
  if (await wasSent(dependencies, mail)) return settle;
  const message = await composeMail(mail, outbox, { ...dependencies, ...options });
  const { kind } = mail.subject;
  if (message === null) {
    meter?.mailed(kind, 'dropped');
    return settle;
  }
  const { fate, cause } = await options.mailer.send({ ...message, id: messageIdOf(mail) }, leaving);
  meter?.mailed(kind, fate);
  if (fate === 'accepted') {
    await noteSent(dependencies, mail);
    return settle;
  }
  logger.warn({ mailId, kind, attempt: mail.attempt, fate, cause }, 'MailNotTaken');
  if (fate === 'refused') return settle;
  if (clock.now() - mail.queuedAt >= GIVEN_UP_AFTER_MS) throw new Error(`sending a mail for a day: ${cause}`);
  return commandTo({
    topic: 'mail',
    key: outbox,
    type: 'postpone',
    input: { mailId, attempt: mail.attempt },
  });
}

/** The left side of a mail's `Message-ID`: the same for every attempt, and no id of ours. */
function messageIdOf({ mailId }: OpenMail): string {
  return digestOf(['message', mailId]).slice(0, MESSAGE_ID_CHARACTERS);
}

const MESSAGE_ID_CHARACTERS = 32;

function sentKey({ mailId }: OpenMail) {
  return { kind: 'sent-mail', digest: digestOf(['mail', mailId]) } as const;
}

/** True if an earlier attempt has succeeded whose report is not folded yet. */
async function wasSent({ digestIndex }: SenderDependencies, mail: OpenMail): Promise<boolean> {
  return (await digestIndex.get(sentKey(mail))) !== null;
}

/** Notes a success before its report, which may be lost with the process. Best effort: the report is the other note. */
async function noteSent({ digestIndex, clock, logger }: SenderDependencies, mail: OpenMail): Promise<void> {
  const entry = { ...sentKey(mail), target: {}, version: 1, expiresAt: clock.now() + SENT_KEPT_MS };
  try {
    await digestIndex.put(entry);
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    logger.warn({ err: error, mailId: mail.mailId }, 'SentMailNotNoted');
  }
}
