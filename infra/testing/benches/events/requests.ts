import { eventAt, newAggregates } from './commands.ts';
import type { LoadRequest } from './connection.ts';
import type { Called } from './measurements.ts';
import { APPENDS_PATH, EVENTS_PATH } from './routes.ts';
import { takeTurns } from './turns.ts';

const PATHS = { events: EVENTS_PATH, appends: APPENDS_PATH } as const;

/** Returns a source of distinct requests: events of this number of new aggregates in turn. */
export function neutralRequests(what: Called, aggregates: number): () => LoadRequest {
  const ids = newAggregates(aggregates);
  let sent = 0;
  return () => {
    const { item: aggregate, nth } = takeTurns(ids, sent);
    sent += 1;
    const body = { aggregate, idempotencyKey: `${aggregate.slice(-6)}-${nth}`, event: eventAt(nth) };
    return { path: PATHS[what], credential: null, body: JSON.stringify(body) };
  };
}
