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

/** The sources of a page besides the files of its origin. */
interface PageSources {
  /** Origins to which it sends requests. */
  readonly others?: readonly string[];
  /** The SHA-256 of each style in the page itself, in base64. */
  readonly styles?: readonly string[];
}

/**
 * Headers of every page, in addition to those of all answers. Scripts, styles and fonts come from the page's own
 * origin only, except for named styles in the page; no inline script runs, and no script may turn text into HTML.
 */
export function pageHeaders({
  others = [],
  styles = [],
}: PageSources = {}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      ["style-src 'self'", ...styles.map((digest) => `'sha256-${digest}'`)].join(' '),
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
