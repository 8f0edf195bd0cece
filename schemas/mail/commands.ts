import { z } from 'zod';
import { type CommandTable, type InputTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { mailIdSchema, mailSubjectSchema } from './documents.ts';

const mail = z.strictObject({ mailId: mailIdSchema });
const attempt = mail.extend({ attempt: z.int().positive() });

/** Commands of the topic `mail`; the key is the HMAC of the address, as that of a person. */
export const mailCommands = {
  /** A mail is to be sent. */
  queue: { input: mail.extend({ subject: mailSubjectSchema }), result: noResult },
  /** From a worker: the mail server has taken or refused the mail, or it is not needed any more. */
  settle: { input: mail, result: noResult },
  /** From a worker: the mail server has not taken the mail, or its answer is not known. */
  postpone: { input: attempt, result: noResult },
  /** From the sweeps: the pause before this attempt is over. */
  'send-again': { input: attempt, result: noResult },
  /** From a worker: the work item is in the dead-letter queue. */
  'give-up': { input: mail, result: noResult },
  /** The address has no person any more: nothing is sent. */
  forget: { input: z.strictObject({}), result: noResult },
} as const satisfies CommandTable;

/** Work items of the topic `mail-sends`, with the aggregate of the outbox. */
export const mailItems = {
  send: { input: attempt.extend({ outbox: sha256Schema }) },
} as const satisfies InputTable;
