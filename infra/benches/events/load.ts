import { setTimeout as sleep } from 'node:timers/promises';
import { eventAt, newAggregates } from './commands.ts';
import { HttpConnection } from './connection.ts';

/** Callers that each wait for their answer before they send again: full load. */
const CALLERS = 256;

/** What runs before it counts: compilation, connections, first look-ups. */
const WARM_UP_MS = 3_000;

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly aggregates: number;
  readonly seconds: number;
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number;
  /** In milliseconds, of each answer. */
  readonly latencies: readonly number[];
}

/** Requests that differ: each aggregate's events in turn. */
function requestsOf(aggregates: number): () => string {
  const ids = newAggregates(aggregates);
  let sent = 0;
  return () => {
    const aggregate = ids[sent % ids.length] ?? '';
    const n = Math.floor(sent / ids.length);
    sent += 1;
    return JSON.stringify({ aggregate, idempotencyKey: `${aggregate.slice(-6)}-${n}`, event: eventAt(n) });
  };
}

/** As many requests as are answered, by callers that wait for each answer. */
export async function fullLoad({ port, path, aggregates, seconds }: Load): Promise<Measured> {
  const nextBody = requestsOf(aggregates);
  const connections = await Promise.all(Array.from({ length: CALLERS }, () => HttpConnection.open(port)));
  const begin = performance.now() + WARM_UP_MS;
  const end = begin + seconds * 1_000;
  const taken: number[] = [];
  const caller = async (connection: HttpConnection): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
      requireDone(await connection.post(path, nextBody()));
      const now = performance.now();
      if (sentAt >= begin && now < end) taken.push(now - sentAt);
    }
  };
  await Promise.all(connections.map(caller));
  for (const connection of connections) connection.close();
  return { rate: taken.length / seconds, latencies: taken };
}

/**
 * A fixed number of requests a second, sent at their time whether or not earlier ones are answered; a latency is counted
 * from that time, so that waiting behind a slow answer counts as well.
 */
export async function steadyLoad({ port, path, aggregates, seconds }: Load, rate: number): Promise<Measured> {
  const nextBody = requestsOf(aggregates);
  const idle: HttpConnection[] = [];
  const open = new Set<Promise<void>>();
  const taken: number[] = [];
  const start = performance.now();
  const send = async (dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? (await HttpConnection.open(port));
    requireDone(await connection.post(path, nextBody()));
    if (dueAt - start >= WARM_UP_MS) taken.push(performance.now() - dueAt);
    idle.push(connection);
  };
  const count = rate * (seconds + WARM_UP_MS / 1_000);
  for (let n = 0; n < count; n += 1) {
    const dueAt = start + (n * 1_000) / rate;
    const pause = dueAt - performance.now();
    if (pause > 0) await sleep(pause);
    const sent = send(dueAt).finally(() => open.delete(sent));
    open.add(sent);
  }
  await Promise.all(open);
  for (const connection of idle) connection.close();
  return { rate: taken.length / seconds, latencies: taken };
}

function requireDone(status: number): void {
  if (status !== 200) throw new Error(`measuring: an answer has the status ${status}`);
}
