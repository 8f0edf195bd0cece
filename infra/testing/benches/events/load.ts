import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection, type LoadRequest } from './connection.ts';

/**
 * Callers that each wait for their answer before they send again. They are enough to keep the service busy, and half of
 * what one gateway lets wait. With a quarter of them, a fifth of two cores is idle.
 */
const CALLERS = 1_024;

/** Duration of the load before measurements begin: it covers compilation, connections and first reads. */
const WARM_UP_MS = 3_000;

export interface Load {
  readonly port: number;
  readonly seconds: number;
  /** Makes the next request; no two are the same. */
  readonly next: () => LoadRequest;
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number;
  /** In milliseconds, of each answer. */
  readonly latencies: readonly number[];
}

/** As many requests as are answered, by callers that wait for each answer. */
export async function fullLoad({ port, seconds, next }: Load): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: CALLERS }, () => HttpConnection.open(port)));
  const begin = performance.now() + WARM_UP_MS;
  const end = begin + seconds * 1_000;
  const taken: number[] = [];
  const caller = async (connection: HttpConnection): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
      requireDone(await connection.post(next()));
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
export async function steadyLoad({ port, seconds, next }: Load, rate: number): Promise<Measured> {
  const idle: HttpConnection[] = [];
  const open = new Set<Promise<void>>();
  const taken: number[] = [];
  const start = performance.now();
  const send = async (dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? (await HttpConnection.open(port));
    requireDone(await connection.post(next()));
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
