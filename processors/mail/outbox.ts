import {
  EMPTY_OUTBOX,
  OPEN_MAILS_MAX,
  type OpenMail,
  type OutboxDocument,
} from '../../schemas/mail/documents.ts';
import { invitationAddressBlob } from '../../schemas/organizations/blobs.ts';
import type { CommandHandler, Effect } from '../runtime/fold/fold.ts';
import { commandTo, DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import type { MailFold } from './mail-fold.ts';

// Every command may arrive again: it names its mail, and its attempt where that matters.

/** Takes a mail in. The fold of its person decides on a new password first; every other mail goes to a worker at once. */
export const queueMail: CommandHandler<MailFold, 'queue'> = {
  fold({ root, input: { mailId, subject }, context: { aggregate: key, now } }) {
    if (find(root, mailId) !== undefined) return DONE_UNREMEMBERED;
    const mail: OpenMail = { mailId, subject, queuedAt: now, attempt: 1, state: 'waiting' };
    const all = [...root.open, mail];
    const left = all.slice(0, -OPEN_MAILS_MAX);
    const offer = () =>
      subject.kind === 'reset'
        ? commandTo({
            topic: 'people',
            key,
            type: 'offer-mailed-reset',
            input: { mailId, codeDigest: subject.codeDigest },
          })
        : attemptOf(key, mail);
    return {
      ...DONE_UNREMEMBERED,
      root: { open: all.slice(-OPEN_MAILS_MAX) },
      effects: [...left.flatMap(removePrivate), offer()],
    };
  },
};

/** Removes a mail that is sent, refused or not needed any more. */
export const settleMail: CommandHandler<MailFold, 'settle'> = {
  fold({ root, input: { mailId } }) {
    const mail = find(root, mailId);
    if (mail === undefined) return DONE_UNREMEMBERED;
    return {
      ...DONE_UNREMEMBERED,
      root: { open: root.open.filter((each) => each !== mail) },
      effects: removePrivate(mail),
    };
  },
};

/** Counts an attempt. The sweeps send the next one after a pause. */
export const postponeMail: CommandHandler<MailFold, 'postpone'> = {
  fold: ({ root, input: { mailId, attempt } }) =>
    change(root, mailId, (mail) => (mail.attempt === attempt ? { ...mail, attempt: attempt + 1 } : mail)),
};

/** Has a worker make an attempt, if it is still the next one. */
export const sendMailAgain: CommandHandler<MailFold, 'send-again'> = {
  fold({ root, input: { mailId, attempt }, context: { aggregate } }) {
    const mail = find(root, mailId);
    const isNext = mail?.state === 'waiting' && mail.attempt === attempt;
    return isNext ? { ...DONE_UNREMEMBERED, effects: [attemptOf(aggregate, mail)] } : DONE_UNREMEMBERED;
  },
};

/** Leaves a mail to the operator, who may send its work item again. */
export const giveUpMail: CommandHandler<MailFold, 'give-up'> = {
  fold: ({ root, input: { mailId } }) => change(root, mailId, (mail) => ({ ...mail, state: 'failed' })),
};

/** Empties an outbox whose person has gone. */
export const forgetMails: CommandHandler<MailFold, 'forget'> = {
  fold: ({ root }) => ({
    ...DONE_UNREMEMBERED,
    ...(root.open.length > 0 && { root: EMPTY_OUTBOX }),
    effects: root.open.flatMap(removePrivate),
  }),
};

function find({ open }: OutboxDocument, mailId: string): OpenMail | undefined {
  return open.find((mail) => mail.mailId === mailId);
}

function change(root: OutboxDocument, mailId: string, next: (mail: OpenMail) => OpenMail) {
  if (find(root, mailId) === undefined) return DONE_UNREMEMBERED;
  const open = root.open.map((mail) => (mail.mailId === mailId ? next(mail) : mail));
  return { ...DONE_UNREMEMBERED, root: { open } };
}

function attemptOf(outbox: string, { mailId, attempt }: OpenMail): Effect {
  const input = { outbox, mailId, attempt };
  return { kind: 'command', topic: 'mail-sends', key: outbox, type: 'send', input };
}

/** Removes the address of an invitation: no other mail has private bytes. */
function removePrivate({ subject }: OpenMail): Effect[] {
  if (subject.kind !== 'invitation') return [];
  const address = invitationAddressBlob(subject.organizationId, subject.invitationId);
  return [{ kind: 'remove-blob', address }];
}
