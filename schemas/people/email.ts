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
  .check(({ value, issues }) => {
    const message = emailFault(value);
    if (message !== null) issues.push({ code: 'custom', input: value, message });
  })
  .register(wireForms, { adds: { pattern: ASCII_EMAIL } })
  .register(z.globalRegistry, { example: 'ada@example.com' });

/** Characters that are not seen, or that turn the order of others round: with them, two addresses could look alike. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

function emailFault(text: string): string | null {
  if (INVISIBLE.test(text)) {
    return 'expected an e-mail address without invisible characters and marks of direction: type it instead of pasting it';
  }
  return text.isWellFormed() && EMAIL.test(normaliseEmail(text)) ? null : 'expected an e-mail address';
}

/** One `@` with something before it and a host name behind it: what decides is whether mail arrives. */
const EMAIL =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
