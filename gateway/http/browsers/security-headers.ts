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

/**
 * Headers of every page, in addition to those of all answers. Scripts, styles and fonts come from the page's own
 * origin only, no inline script runs, and no script may turn text into HTML.
 *
 * @param others origins besides its own to which the page sends requests
 */
export function pageHeaders(others: readonly string[] = []): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      ["connect-src 'self'", ...others].join(' '),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy':
      'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  };
}
