import type { RefusedConnection } from '../egress/guard.ts';
import type { ProxyAccess } from '../egress/proxy.ts';

/** The proxy of a run, as its driver sees it. */
export interface RunProxy {
  readonly access: ProxyAccess;
  /** The reason for which the last request to the server of an address was refused, or null if it was not. */
  refusalOf(url: URL): Promise<RefusedConnection | null>;
}
