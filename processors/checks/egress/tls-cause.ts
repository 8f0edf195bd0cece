import type { TlsCause } from '../../../schemas/checks/tls-causes.ts';

/** The causes of Node's and OpenSSL's error codes: the first pattern that fits counts. */
const CAUSES: readonly (readonly [code: RegExp, TlsCause])[] = [
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'chain'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'self-signed'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED|INVALID_CA)$/,
    'authority',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$|_UNRECOGNIZED_NAME$/, 'name'],
  [/^CERT_HAS_EXPIRED$/, 'expired'],
  [/^CERT_NOT_YET_VALID$/, 'early'],
  [
    /_(UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW|INSUFFICIENT_SECURITY|DH_KEY_TOO_SMALL)$/,
    'protocol',
  ],
  [
    /_(WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE|RECORD_LAYER_FAILURE)$/,
    'plain',
  ],
  [/_ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|NO_CERTIFICATE|CERTIFICATE_UNKNOWN)$/, 'client-certificate'],
  [/_ALERT_/, 'refused'],
  [/^(ECONNRESET|EPIPE)$/, 'closed'],
];

/** The cause of an error of a TLS connection; null if it is none that a message names. */
export function tlsCauseOf(error: Error): TlsCause | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CAUSES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
