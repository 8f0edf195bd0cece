// Replaces one method of cassandra-driver 4.10.0 at run time, because no option changes its behaviour. The package
// itself is unchanged; any other version is rejected.
import { createRequire } from 'node:module';

const VERSION = '4.10.0';

/** The connection over which the driver receives changes of the cluster's nodes. */
export interface ControlConnection {
  readonly _reconnectionSchedule: Iterator<number, number>;
  readonly _isShuttingDown: boolean;
  log(level: string, message: string, error?: unknown): void;
  /** Searches for a node to connect to. `nodes` are the untried ones, when the method calls itself. */
  _refresh(nodes?: Iterator<unknown>): Promise<void>;
}

/** A running search, and a flag for a request of another one meanwhile. */
interface Search {
  readonly ended: Promise<void>;
  again: boolean;
}

let repaired = false;

/**
 * Replaces the method, once for the process.
 *
 * @throws {Error} if another version of the driver is installed
 */
export function repairDriver(): void {
  if (repaired) return;
  const require = createRequire(import.meta.url);
  const { version } = require('cassandra-driver/package.json') as { version: string };
  if (version !== VERSION)
    throw new Error(`repairing cassandra-driver ${version}: the repair is for ${VERSION}`);
  const { prototype } = require('cassandra-driver/lib/control-connection') as {
    prototype: ControlConnection;
  };
  repairRefresh(prototype);
  repaired = true;
}

/**
 * Searches once at a time, and once more if another search was requested meanwhile. The original runs a search for
 * each lost connection. One search then removes the connection that another has found, which throws where no code
 * catches it and ends the process. After any error, ours searches again after the pause of the reconnection policy.
 */
function repairRefresh(control: ControlConnection): void {
  const { _refresh: search } = control;
  const searches = new WeakMap<ControlConnection, Search>();

  control._refresh = function refreshOnceAtATime(this: ControlConnection, nodes?: Iterator<unknown>) {
    if (nodes !== undefined) return search.call(this, nodes);
    const underWay = searches.get(this);
    if (underWay !== undefined) {
      underWay.again = true;
      return underWay.ended;
    }
    const own: Search = { ended: searchOnce(this), again: false };
    searches.set(this, own);
    return own.ended;
  };

  async function searchOnce(connection: ControlConnection): Promise<void> {
    let pauseMs: number | null = null;
    try {
      await search.call(connection);
    } catch (error) {
      connection.log('warning', 'ControlConnection was lost while it was made', error);
      pauseMs = connection._reconnectionSchedule.next().value;
    }
    if (searches.get(connection)?.again === true) pauseMs ??= 0;
    searches.delete(connection);
    if (pauseMs !== null && !connection._isShuttingDown) {
      setTimeout(() => void connection._refresh(), pauseMs);
    }
  }
}
