import { type MailText, timeInWords } from './mail-text.ts';

interface ResetFacts {
  readonly console: string;
  readonly link: string;
  readonly endsAt: number;
  readonly now: number;
}

/** The mail of a forgotten password. */
export function resetText({ console, link, endsAt, now }: ResetFacts): MailText {
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      `A new password was requested for your account at ${console}.`,
      `The link works once, until ${timeInWords(endsAt, now)}. An earlier link no longer works.`,
    ],
    action: { label: 'Set a new password', link },
    notes: ['Not you? Do nothing. Your password stays as it is.'],
    console,
  };
}
