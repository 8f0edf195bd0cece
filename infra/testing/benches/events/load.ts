import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswered } from '../unavailable.ts';
import { HttpConnection, type LoadRequest } from './connection.ts';

/**
 * - `callers` wait for their answer before they send again. They are enough to keep the service busy, and half of what one
 *   gateway lets wait. With a quarter of them, a fifth of two cores is idle.
 * - `warmUpMs` is the duration of the load before measurements begin: it covers compilation, connections and first reads.
 */
const FULL = { callers: 1_024, warmUpMs: 3_000 } as const;
const QUICK = { callers: 32, warmUpMs: 200 } as const;

const EXPECTED = [200];

export interface Load {
  readonly port: number;
  readonly seconds: number;
  /** True: few callers, and next to no warm-up. */
  readonly quick: boolean;
  /** Callers at the same time, if it is another number than usual. */
  readonly callers?: number;
  /** Makes the next request; no two are the same. */
  readonly next: () => LoadRequest;
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number;
  /** In milliseconds, of each answer. Answers with 503 count in neither. */
  readonly latencies: readonly number[];
}

export interface FullyLoaded extends Measured {
  /** Requests that were answered as expected, those of the warm-up included. */
  readonly answered: number;
}

/** As many requests as are answered, by callers that wait for each answer. */
export async function fullLoad(load: Load): Promise<FullyLoaded> {
  const { port, seconds, quick, next } = load;
  const { callers, warmUpMs } = { ...(quick ? QUICK : FULL), ...load };
  const connections = await Promise.all(Array.from({ length: callers }, () => HttpConnection.open(port)));
  const begin = performance.now() + warmUpMs;
  const end = begin + seconds * 1_000;
  const taken: number[] = [];
  let answered = 0;
  const caller = async (connection: HttpConnection): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
      const isDone = isAnswered(await connection.post(next()), EXPECTED);
      const now = performance.now();
      if (isDone) answered += 1;
      if (isDone && sentAt >= begin && now < end) taken.push(now - sentAt);
    }
  };
  await Promise.all(connections.map(caller));
  for (const connection of connections) connection.close();
  return { rate: taken.length / seconds, latencies: taken, answered };
}

/**
 * A fixed number of requests a second, sent at their time whether or not earlier ones are answered; a latency is counted
 * from that time, so that waiting behind a slow answer counts as well.
 */
export async function steadyLoad({ port, seconds, quick, next }: Load, rate: number): Promise<Measured> {
  const { warmUpMs } = quick ? QUICK : FULL;
  const idle: HttpConnection[] = [];
  const open = new Set<Promise<void>>();
  const taken: number[] = [];
  const start = performance.now();
  const send = async (dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? (await HttpConnection.open(port));
    const isDone = isAnswered(await connection.post(next()), EXPECTED);
    if (isDone && dueAt - start >= warmUpMs) taken.push(performance.now() - dueAt);
    idle.push(connection);
  };
  const count = rate * (seconds + warmUpMs / 1_000);
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
