import { z } from 'zod';
import { eachOnce } from './unique.ts';
import { wireForms } from './wire.ts';

/** Hosts that never leave this machine: allowed as origins only where the configuration admits them. */
const LOOPBACK_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1):([0-9]{1,5})$/;

const ORIGIN_CHARACTERS_MAX = 255;

const EXAMPLE = 'https://app.example.com';

/** Says what is expected; of a host name in another script, the form in which browsers send it. */
function expectedFor({ input }: { readonly input?: unknown }): string {
  const url = URL.parse(String(input));
  const isInternational = url?.protocol === 'https:' && url.host.includes('xn--') && url.origin !== input;
  return isInternational
    ? `expected an exact HTTPS origin as browsers send it, ${url.origin}`
    : `expected an exact HTTPS origin such as ${EXAMPLE}`;
}

/**
 * True if a text is exactly the serialisation of an HTTPS origin (RFC 6454): scheme, host and, where it is not 443, the
 * port; no path, no trailing slash, no user info, lower case, IDN as punycode.
 */
export function isHttpsOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.origin === text;
}

/** The port of a loopback origin (`http://localhost:PORT`, `http://127.0.0.1:PORT`), or null for any other text. */
export function loopbackPort(text: string): number | null {
  const match = LOOPBACK_ORIGIN.exec(text);
  return match === null || new URL(text).origin !== text ? null : Number(match[2]);
}

/**
 * An origin as documents and commands hold it: HTTPS, or the form of a loopback origin. Requests are read by
 * {@link pageOriginSchema}, which is stricter than documents of before are.
 */
export const originSchema = z
  .string()
  .max(ORIGIN_CHARACTERS_MAX)
  .refine((text) => isHttpsOrigin(text) || loopbackPort(text) !== null, { error: expectedFor })
  .register(z.globalRegistry, { example: EXAMPLE });

/** A label of a host name, and its last one, which would make the host an IPv4 address if it began with a digit. */
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const LAST_LABEL = '[a-z](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
/** 1 to 65535 without 443, which is left out in an origin. */
const PORT =
  '(?:[1-9][0-9]?|[1-35-9][0-9]{2}|4[0-35-9][0-9]|44[0-24-9]|[1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}' +
  '|655[0-2][0-9]|6553[0-5])';

/** Origins with a host name or an IPv4 address. A wildcard would look like a rule and match no page. */
const PAGE_ORIGIN = `^https://(?:(?:${LABEL}\\.)*${LAST_LABEL}|${OCTET}(?:\\.${OCTET}){3})(?::${PORT})?$`;

const IS_PAGE_ORIGIN = new RegExp(PAGE_ORIGIN);

/**
 * An origin of a page as a request names it. The gateway checks loopback addresses against the configuration
 * (`SVC_ALLOW_LOOPBACK`).
 */
export const pageOriginSchema = z
  .string()
  .max(ORIGIN_CHARACTERS_MAX)
  .refine((text) => isPageOrigin(text), { error: expectedFor })
  .register(z.globalRegistry, { example: EXAMPLE })
  .register(wireForms, { adds: { pattern: PAGE_ORIGIN } });

/** The origins of pages, each once, as a request names them. */
export function pageOriginsSchema({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  const origins = z.array(pageOriginSchema).max(max);
  return (min === 0 ? origins : origins.min(min))
    .check(
      eachOnce(
        (origin) => origin,
        (first) => `an origin other than [${first}]`,
      ),
    )
    .register(wireForms, { adds: { uniqueItems: true } });
}

function isPageOrigin(text: string): boolean {
  if (!isHttpsOrigin(text)) return loopbackPort(text) !== null;
  return IS_PAGE_ORIGIN.test(text) || new URL(text).hostname.startsWith('[');
}
