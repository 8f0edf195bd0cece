import type { RefusedConnection } from '../egress/guard.ts';

/** The proxy of a run, as its driver sees it. */
export interface RunProxy {
  readonly url: string;
  /** The reason for which the last request to the server of an address was refused, or null if it was not. */
  refusalOf(url: URL): Promise<RefusedConnection | null>;
}
