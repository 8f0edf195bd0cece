// cassandra-driver 4.10.0 is used as it is published, but for one method that is replaced here at run time, because no option
// reaches what it does. Another version than this one is refused.
import { createRequire } from 'node:module';

const VERSION = '4.10.0';

/** The connection over which the driver hears of nodes that come and go. */
export interface ControlConnection {
  readonly _reconnectionSchedule: Iterator<number, number>;
  readonly _isShuttingDown: boolean;
  log(level: string, message: string, error?: unknown): void;
  /** Looks for a node to hear from. `nodes` are those that it has left to try, when it calls itself. */
  _refresh(nodes?: Iterator<unknown>): Promise<void>;
}

/** A search that is under way, and whether somebody has asked for another one meanwhile. */
interface Search {
  readonly ended: Promise<void>;
  again: boolean;
}

let repaired = false;

/**
 * Replaces the method, once for the process.
 *
 * @throws {Error} when another version of the driver is installed.
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
 * The original searches as often at the same time as connections are lost. One search then takes away the connection that
 * another one has found, which throws where nobody catches it, and the process ends. Ours searches once at a time, and once
 * more for those who asked meanwhile; whatever it throws means another search after the pause that the policy says.
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
