import type { ConnectionOptions } from 'node:tls';

/** Authentication of servers and of this client. Certificates and keys are PEM texts. */
export interface TlsOptions {
  /** Trusted authorities; those of Node if absent. */
  readonly ca?: string;
  /** Certificate and key of this client, for servers that request them. */
  readonly certificate?: string;
  readonly key?: string;
  /** The name that each server's certificate has to carry; the server's address if absent. */
  readonly serverName?: string;
}

/**
 * Converts the options to those of Node. `rejectUnauthorized` is explicit, because some clients disable it by
 * default.
 */
export function nodeTlsOptions({ ca, certificate, key, serverName }: TlsOptions): ConnectionOptions {
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}
