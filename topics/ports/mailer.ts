/** An e-mail message to one person. Its sender is a setting of the service. */
export interface MailMessage {
  /** The left side of the `Message-ID` (RFC 5322, 3.6.4). The same message has the same one whenever it is sent. */
  readonly id: string;
  /** An address that `emailSchema` takes. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Further headers, by their name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The fate of one attempt.
 * - `accepted`: the server has taken the message over.
 * - `postponed`: the server has not taken it, and may take it later.
 * - `refused`: the server does not take it, however often it is sent.
 * - `unknown`: the server got the whole message and did not answer. It may have taken it.
 */
export const MAIL_FATES = ['accepted', 'postponed', 'refused', 'unknown'] as const;
export type MailFate = (typeof MAIL_FATES)[number];

export interface MailAttempt {
  readonly fate: MailFate;
  /** The step, the code and the status of the failure, such as `EENVELOPE 550 5.1.1`. It never holds an address. Empty if accepted. */
  readonly cause: string;
  /** The words of the server, or of the failure. They may quote the address: for the person who typed it, and no log. */
  readonly words: string;
}

/** Hands messages to the mail server of the operator. */
export interface Mailer {
  /**
   * Makes one attempt, which ends in time. Never rejects.
   *
   * @param leaving aborted when the process ends: an attempt whose message the server has not got yet is then left
   */
  send(message: MailMessage, leaving?: AbortSignal): Promise<MailAttempt>;
  close(): Promise<void>;
}
