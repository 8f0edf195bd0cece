// The load generator: a separate process whose connections poll for pages, each as soon as its last answer is there. Gets the
// job from its parent, and sends the counts of answers by status.
import { connect, type Socket } from 'node:net';
import { isAnswered, unavailableAnswers } from '../unavailable.ts';

/** The polls of pages. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  /** For each page its whole request. */
  readonly requests: readonly string[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface Load {
  /** Answers a second. */
  readonly perSecond: number;
  /** Counts by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers with 503, those of the warm-up included. */
  readonly unavailable: number;
}

/** The page has changed, or has not. */
const EXPECTED = [200, 304];

const END_OF_HEADERS = '\r\n\r\n';

process.once('message', async (job: LoadJob) => {
  process.send?.(await poll(job));
  process.disconnect();
});

async function poll(job: LoadJob): Promise<Load> {
  const statuses: Record<string, number> = {};
  let answered = 0;
  let isMeasured = false;
  const sockets = Array.from({ length: job.connections }, (_, first) =>
    keepAsking(job, first, (status) => {
      const isExpected = isAnswered(Number(status), EXPECTED);
      if (!isMeasured) return;
      if (isExpected) answered += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  await pause(job.warmUpSeconds);
  isMeasured = true;
  const begun = performance.now();
  await pause(job.seconds);
  const elapsed = (performance.now() - begun) / 1_000;
  for (const socket of sockets) socket.destroy();
  return { perSecond: answered / elapsed, statuses, unavailable: unavailableAnswers() };
}

function keepAsking(
  { port, connections, requests }: LoadJob,
  first: number,
  onAnswer: (status: string) => void,
): Socket {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  let page = first;
  let held = '';
  const ask = (): void => {
    socket.write(requests[page % requests.length] ?? '');
    page += connections;
  };
  socket.on('connect', ask);
  socket.on('data', (text: string) => {
    held += text;
    const end = held.indexOf(END_OF_HEADERS);
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0);
    if (held.length < end + END_OF_HEADERS.length + length) return;
    onAnswer(held.slice(9, 12));
    held = '';
    ask();
  });
  return socket;
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
