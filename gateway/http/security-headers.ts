/** The time for which a browser insists on HTTPS for a host that it once reached with it. */
const HSTS_SECONDS = 365 * 24 * 3_600;

/**
 * Headers of every answer that is data and no page: nothing in it may run, be framed, be guessed to be another type or
 * be embedded by another origin.
 */
export function securityHeaders(secure: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(secure ? { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` } : {}),
  };
}
