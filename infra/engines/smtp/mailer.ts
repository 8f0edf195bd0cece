// Sends: messages, to the mail server of the operator (RFC 5321).
import { Transform } from 'node:stream';
import { createTransport, type NodemailerError } from 'nodemailer';
import { MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import type { MailAttempt, Mailer, MailFate } from '../../../topics/ports/mailer.ts';
import { nodeTlsOptions, type TlsOptions } from '../shared/tls.ts';

/** A person or a service that messages are from. */
export interface MailSender {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /**
   * - `implicit`: the connection begins with TLS (RFC 8314).
   * - `starttls`: the connection is upgraded before anything else, or ended (RFC 3207).
   * - `none`: for a server on this machine, or in a network that no one else can read.
   */
  readonly security: 'implicit' | 'starttls' | 'none';
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly tls?: TlsOptions;
  readonly from: MailSender;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/** The longest waits, in milliseconds. */
interface SmtpTimeouts {
  readonly connectMs: number;
  /** For the next byte of the server. */
  readonly silenceMs: number;
  /** For one attempt as a whole, its wait for a connection included. */
  readonly attemptMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10 * SECOND_MS, silenceMs: MINUTE_MS, attemptMs: 2 * MINUTE_MS };

/** Connections of one process. Relays refuse more from one client. */
const CONNECTIONS_MAX = 4;
/** Messages on one connection before the next one. */
const MESSAGES_PER_CONNECTION = 100;
const IDLE_MS = 30 * SECOND_MS;

const ACCEPTED: MailAttempt = { fate: 'accepted', cause: '', words: '' };

/** Opens a pool of connections to a mail server. The first message makes the first connection. */
export function openSmtpMailer(options: SmtpOptions): Mailer {
  const { from } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const transport = createTransport(transportOptions(options, timeouts));
  const handedOver = watchHandOver(transport);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ id, to, ...message }, leaving) {
      const messageId = `<${id}@${domain}>`;
      const attempt = new AbortController();
      const timer = setTimeout(() => attempt.abort(), timeouts.attemptMs);
      const leave = () => {
        if (!handedOver.has(messageId)) attempt.abort();
      };
      leaving?.addEventListener('abort', leave, { once: true });
      try {
        const recipient = { name: '', address: to };
        await transport.sendMail({ ...message, from, to: recipient, messageId, signal: attempt.signal });
        return ACCEPTED;
      } catch (error) {
        return failedAttempt(error, handedOver.has(messageId));
      } finally {
        clearTimeout(timer);
        leaving?.removeEventListener('abort', leave);
        handedOver.delete(messageId);
      }
    },
    async close() {
      transport.close();
    },
  };
}

function transportOptions(
  { host, port, security, credentials, tls }: SmtpOptions,
  { connectMs, silenceMs }: SmtpTimeouts,
) {
  return {
    host,
    port,
    secure: security === 'implicit',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: nodeTlsOptions(tls ?? {}),
    ...(credentials !== null && { auth: { user: credentials.user, pass: credentials.password } }),
    // A server that does not offer what credentials need would otherwise get the message without them.
    forceAuth: credentials !== null,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MESSAGES_PER_CONNECTION,
    // The caller repeats an attempt, and knows that it does.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // A text never names a file or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

/** Returns the `Message-ID` of each message under way whose last byte has been read for its connection. */
function watchHandOver(transport: ReturnType<typeof createTransport>): Set<string> {
  const handedOver = new Set<string>();
  transport.use('stream', ({ message }, done) => {
    const id = message.messageId();
    const flush = (read: () => void) => {
      handedOver.add(id);
      read();
    };
    message.transform(
      () => new Transform({ transform: (chunk, _encoding, pass) => pass(null, chunk), flush }),
    );
    done();
  });
  return handedOver;
}

/** The commands of one message. A 5yz answer to another one is about this client, such as a wrong password. */
const ABOUT_MESSAGE: readonly string[] = ['MAIL FROM', 'RCPT TO', 'DATA'];

const ENHANCED_STATUS = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/;

function failedAttempt(error: unknown, isHandedOver: boolean): MailAttempt {
  const {
    code,
    command,
    responseCode,
    permanent,
    response = '',
    message,
  }: Partial<NodemailerError> = error instanceof Error ? error : {};
  const [, status] = ENHANCED_STATUS.exec(response) ?? [];
  const cause = [code ?? 'EUNKNOWN', command, responseCode, status].filter((part) => part !== undefined);
  return {
    fate: fateOf(permanent === true && ABOUT_MESSAGE.includes(command ?? ''), responseCode, isHandedOver),
    cause: cause.join(' '),
    words: message ?? String(error),
  };
}

function fateOf(isRefused: boolean, responseCode: number | undefined, isHandedOver: boolean): MailFate {
  if (isRefused) return 'refused';
  return isHandedOver && responseCode === undefined ? 'unknown' : 'postponed';
}
