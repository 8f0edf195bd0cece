import { z } from 'zod';

/** Hosts that never leave this machine: allowed as origins only where the configuration admits them. */
const LOOPBACK_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1):([0-9]{1,5})$/;

/**
 * Whether a text is exactly the serialisation of an HTTPS origin (RFC 6454): scheme, host and, where it is not 443, the
 * port; no path, no trailing slash, no user info, lower case, IDN as punycode.
 */
export function isHttpsOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === 'https:' && url.origin === text;
}

/** The port of a loopback origin (`http://localhost:PORT`, `http://127.0.0.1:PORT`), or null for any other text. */
export function loopbackPort(text: string): number | null {
  const match = LOOPBACK_ORIGIN.exec(text);
  return match === null || new URL(text).origin !== text ? null : Number(match[2]);
}

/**
 * An origin as the wire carries it: HTTPS, or the form of a loopback origin. Whether loopback is admitted depends on the
 * configuration (`SVC_ALLOW_LOOPBACK`) and is checked by the gateway.
 */
export const originSchema = z
  .string()
  .max(255)
  .refine((text) => isHttpsOrigin(text) || loopbackPort(text) !== null, 'expected an exact HTTPS origin');
