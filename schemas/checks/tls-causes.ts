import { z } from 'zod';

/** The causes for which there is no secure connection, each with what was seen and what to do about it. */
export const TLS_CAUSES = {
  chain: 'a certificate whose intermediate certificate is missing: serve the full chain',
  authority: 'a certificate of an authority that browsers do not trust: serve the full chain of a public one',
  'self-signed': 'a self-signed certificate: use one of a public authority',
  name: 'a certificate of another name: use one that names this host',
  expired: 'a certificate that has expired: renew it, and load it into the server',
  early: 'a certificate that is not valid yet: check its dates',
  protocol: 'a TLS version below 1.2, or none of the usual ciphers: allow TLS 1.2 or 1.3',
  plain: 'an answer without TLS: serve HTTPS at this port',
  'client-certificate': 'a server that asks for a client certificate: admit requests without one',
  refused:
    'a server that refuses the TLS handshake: check that it knows this host name and asks for no client certificate',
  closed: 'a connection that the server closed during the TLS handshake: check the server and its firewall',
} as const;

export type TlsCause = keyof typeof TLS_CAUSES;

export const tlsCauseSchema = z.enum(Object.keys(TLS_CAUSES) as [TlsCause, ...TlsCause[]]);
