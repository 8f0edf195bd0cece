// The load generator: a separate process with 64 connections, each of which sends again as soon as it has its answer.
// Arguments: the port, warm-up and measured seconds, the limits of a request, and the checks of one that are decided one by one. Sends its parent the begin of the measurement, and the result.
import { connect, type Socket } from 'node:net';
import { isAnswered, unavailableAnswers } from '../unavailable.ts';
import { CONNECTIONS, EACH_CONNECTIONS, eachOf, IDENTIFIERS, KEY, requestOf } from './scene.ts';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with 503, those of the warm-up included. They count in no other figure. */
  readonly unavailable: number;
}

/** Positions of the status in an answer. */
const STATUS = { from: 9, to: 12 } as const;
const EXPECTED = [200];

/** Latencies are kept in steps of this many milliseconds, up to a second. */
const STEP_MS = 0.01;
const STEPS = 100_000;

const [port, warmUpSeconds, seconds, entries = 1, each = 0] = process.argv.slice(2).map(Number);
if (port === undefined || warmUpSeconds === undefined || seconds === undefined) {
  throw new Error('starting without a port and durations');
}

const connections = each > 0 ? EACH_CONNECTIONS : CONNECTIONS;
const latencies = new Uint32Array(STEPS + 1);
let measuring = false;
let answered = 0;

/** The texts of all requests, so that the load takes little of the machine from what it measures. */
const texts = Array.from({ length: IDENTIFIERS }, (_, index) => madeText(index));
const sockets = Array.from({ length: connections }, (_, index) => keepAsking(port, index));
await new Promise((resolve) => setTimeout(resolve, warmUpSeconds * 1_000));
measuring = true;
process.send?.('measuring');
const begun = performance.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
measuring = false;
const elapsed = (performance.now() - begun) / 1_000;
for (const socket of sockets) socket.destroy();
const load: Load = {
  requestsPerSecond: answered / elapsed,
  p50Ms: rank(0.5),
  p99Ms: rank(0.99),
  unavailable: unavailableAnswers(),
};
process.send?.(load);
process.disconnect();

function keepAsking(port: number, first: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let index = first;
  let sent = 0;
  let held = '';
  const ask = (): void => {
    sent = performance.now();
    socket.write(textOf(index));
    index += connections;
  };
  socket.on('connect', ask);
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1');
    if (!isWhole(held)) return;
    const isDone = isAnswered(Number(held.slice(STATUS.from, STATUS.to)), EXPECTED);
    held = '';
    if (measuring && isDone) {
      answered += 1;
      const step = Math.min(STEPS, Math.floor((performance.now() - sent) / STEP_MS));
      latencies[step] = (latencies[step] ?? 0) + 1;
    }
    ask();
  });
  return socket;
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0);
  return answer.length >= end + 4 + length;
}

function textOf(index: number): string {
  return texts[index % IDENTIFIERS] ?? '';
}

function madeText(index: number): string {
  const { path, body } = each > 0 ? eachOf(index, each) : requestOf(index, entries);
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

function rank(share: number): number {
  let before = 0;
  for (let step = 0; step <= STEPS; step += 1) {
    before += latencies[step] ?? 0;
    if (before >= answered * share) return step * STEP_MS;
  }
  return STEPS * STEP_MS;
}
