import { z } from 'zod';
import { wireForms } from '../base/wire.ts';

/** The longest address that can be delivered to (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_CHARACTERS_MAX = 254;

/**
 * Normalises an e-mail address to the one form that identifies a person: trimmed, Unicode NFKC, lower case. RFC 5321
 * allows a case-sensitive local part, but mail providers do not use it, and two accounts would surprise people.
 */
export function normaliseEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}

/** Addresses of ASCII characters, as HTML's `<input type=email>` takes them. Others are taken as well. */
const ASCII_EMAIL =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?" +
  '(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$';

/** An e-mail address as it is typed; {@link normaliseEmail} gives the one that counts. */
export const emailSchema = z
  .string()
  .max(EMAIL_CHARACTERS_MAX)
  .refine((text) => text.isWellFormed() && EMAIL.test(normaliseEmail(text)), 'expected an e-mail address')
  .register(wireForms, { adds: { pattern: ASCII_EMAIL } });

/** One `@` with something before it and a host name behind it: what decides is whether mail arrives. */
const EMAIL =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
