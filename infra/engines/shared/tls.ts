import type { ConnectionOptions } from 'node:tls';

/** How servers prove who they are, and we to them. Certificates and keys are PEM texts. */
export interface TlsOptions {
  /** Authorities that may have signed the servers' certificates; those that Node trusts where it is absent. */
  readonly ca?: string;
  /** Certificate and key of this client, where servers ask for them. */
  readonly certificate?: string;
  readonly key?: string;
  /** The name that every server's certificate has to bear; its address where it is absent. */
  readonly serverName?: string;
}

/** The same for Node. Certificates are always checked: some clients leave that out unless they are told. */
export function nodeTlsOptions({ ca, certificate, key, serverName }: TlsOptions): ConnectionOptions {
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}
