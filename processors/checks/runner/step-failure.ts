import type { FailureReason } from '../../../schemas/checks/results.ts';
import { TLS_CAUSES, type TlsCause } from '../../../schemas/checks/tls-causes.ts';
import type { RefusedConnection } from '../egress/guard.ts';

/** A step that does not hold. */
export class StepFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'StepFailure';
    this.reason = reason;
  }
}

export const STRAYED = new StepFailure(
  'blocked_egress',
  'The page led to another origin. A run stays on the origin that was proved; prove the other one, too.',
);

export const LEFT_THE_WEB = new StepFailure(
  'blocked_egress',
  'The page ends at an address that no server answers, such as blob: or about:. A run ends at a page of the origin.',
);

/** The errors of Chromium's network stack by the cause for which there is no secure connection. */
const TLS_ERRORS: readonly (readonly [RegExp, TlsCause])[] = [
  [/net::ERR_CERT_COMMON_NAME_INVALID/, 'name'],
  [/net::ERR_CERT_AUTHORITY_INVALID/, 'authority'],
  [/net::ERR_SSL_(VERSION_OR_CIPHER_MISMATCH|OBSOLETE_VERSION)/, 'protocol'],
  [/net::ERR_SSL_PROTOCOL_ERROR/, 'plain'],
  [/net::ERR_(BAD_)?SSL_CLIENT_AUTH/, 'client-certificate'],
  [/net::ERR_SSL_UNRECOGNIZED_NAME_ALERT/, 'refused'],
];

/** The errors of Chromium's network stack by the reason that they stand for. */
const NET_ERRORS: readonly (readonly [RegExp, FailureReason, string])[] = [
  [
    /net::ERR_(CERT|SSL|BAD_SSL)_/,
    'tls',
    'The connection is not secure. Check the certificate: its names, its dates and its chain.',
  ],
  [/net::ERR_NAME_NOT_RESOLVED/, 'dns', 'The host name has no address. Check its DNS records.'],
  [/net::ERR_TOO_MANY_REDIRECTS/, 'http_status', 'The page redirects in a circle.'],
  [/net::ERR_(BLOCKED|UNSAFE_PORT|UNKNOWN_URL_SCHEME)/, 'blocked_egress', 'The address may not be opened.'],
  [
    /interrupted by another navigation/,
    'assertion',
    'The page before it led elsewhere at the same time. Open one of them only.',
  ],
  [/Download is starting/, 'assertion', 'The address is a download and no page.'],
  [/Page crashed|Target crashed/, 'crash', 'The page crashed the browser.'],
];

const REFUSALS: Readonly<Record<RefusedConnection, readonly [FailureReason, string]>> = {
  dns: ['dns', 'The host name has no address. Check its DNS records.'],
  connect: [
    'connect',
    'The server does not accept connections. Check that it runs and that its firewall admits it.',
  ],
  blocked: [
    'blocked_egress',
    'The host leads to an address that a run may not open. Publish it on the internet.',
  ],
};

/** The failure of a navigation. It repeats nothing that a server has sent. */
export function navigationFailure(error: unknown, refused: RefusedConnection | null): StepFailure {
  const text = error instanceof Error ? error.message : '';
  if (refused !== null) return new StepFailure(...REFUSALS[refused]);
  if (/Timeout \d+ms exceeded/.test(text)) return timedOut('The page did not answer in time.');
  const tlsCause = TLS_ERRORS.find(([pattern]) => pattern.test(text))?.[1];
  if (tlsCause !== undefined) {
    return new StepFailure('tls', `The connection is not secure. The server has ${TLS_CAUSES[tlsCause]}.`);
  }
  const known = NET_ERRORS.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return new StepFailure(known[1], known[2]);
  return new StepFailure('connect', 'The server closed the connection without an answer.');
}

/** The failure of a flow whose time has ended. */
export function timedOut(what: string): StepFailure {
  return new StepFailure('navigation_timeout', `${what} Make it faster, or give the flow more time.`);
}
