import { z } from 'zod';
import { emailSchema } from '../../../schemas/people/email.ts';
import type { MailSender, SmtpOptions } from '../../engines/smtp/mailer.ts';
import { isLoopback } from './loopback.ts';

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

const SMTP_URL =
  'expected an address such as smtp://user:password@smtp.example.com:587, with user and password percent-encoded, and no more behind it than ?starttls=required or ?starttls=off';

const SENDER = 'expected an address such as svc@example.com, or one with a name: Svc <svc@example.com>';

/** A name of a sender that needs no quotes (RFC 5322, 3.2.3), or any letters of other scripts. */
const SENDER_NAME = /^[\p{L}\p{M}\p{N} !#$%&'*+./=?^_`{|}~-]{0,80}$/u;

type Server = Pick<SmtpOptions, 'host' | 'port' | 'security' | 'credentials'>;

const serverSchema = z.string().transform((text, context): Server => {
  const server = serverOf(text);
  if (server !== null) return server;
  context.addIssue(SMTP_URL);
  return z.NEVER;
});

const senderSchema = z.string().transform((text, context): MailSender => {
  const [, name = '', address = text.trim()] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  if (SENDER_NAME.test(name) && emailSchema.safeParse(address).success) return { name, address };
  context.addIssue(SENDER);
  return z.NEVER;
});

/** The variables of mail. */
export const mailShape = {
  SVC_SMTP_URL: serverSchema.optional(),
  SVC_SMTP_TLS_CA: z
    .string()
    .regex(/-----BEGIN [A-Z ]+-----/, 'expected PEM')
    .optional(),
  SVC_MAIL_FROM: senderSchema.optional(),
} as const;

/** Variables whose value is never shown. */
export const MAIL_SECRETS: readonly string[] = ['SVC_SMTP_URL'];

/** The mail server and the sender. */
export type MailSettings = Pick<SmtpOptions, 'host' | 'port' | 'security' | 'credentials' | 'tls' | 'from'>;

/** Returns the settings of mail, null if there are none, or a line that says what is missing. */
export function mailOf({
  SVC_SMTP_URL: server,
  SVC_SMTP_TLS_CA: ca,
  SVC_MAIL_FROM: from,
}: z.infer<z.ZodObject<typeof mailShape>>): MailSettings | { readonly problem: string } | null {
  if (server === undefined && from === undefined) {
    return ca === undefined ? null : { problem: 'SVC_SMTP_TLS_CA: seen without SVC_SMTP_URL' };
  }
  if (server === undefined || from === undefined) {
    return { problem: 'SVC_SMTP_URL and SVC_MAIL_FROM: seen one of them; set both or none' };
  }
  return { ...server, from, ...(ca !== undefined && { tls: { ca } }) };
}

function serverOf(text: string): Server | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const port = PORTS[url.protocol];
  const starttls = url.searchParams.get('starttls');
  const isPlain = url.pathname === '' || url.pathname === '/';
  if (port === undefined || url.hostname === '' || !isPlain || url.hash !== '') return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const security = securityOf(url, starttls);
  const credentials = credentialsOf(url);
  if (security === null || credentials === undefined) return null;
  return { host, port: url.port === '' ? port : Number(url.port), security, credentials };
}

/** Returns null for parameters that do not exist. Without one, only a server on this machine does without TLS. */
function securityOf({ protocol, hostname, search }: URL, starttls: string | null): Server['security'] | null {
  if (search !== '' && (search !== `?starttls=${starttls}` || protocol !== 'smtp:')) return null;
  if (protocol === 'smtps:') return 'implicit';
  if (starttls === null) return isLoopback(hostname) ? 'none' : 'starttls';
  if (starttls === 'off') return 'none';
  return starttls === 'required' ? 'starttls' : null;
}

/** Returns undefined for a part of credentials, or one that is not percent-encoded. */
function credentialsOf({ username, password }: URL): Server['credentials'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
