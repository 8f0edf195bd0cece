import { connect } from 'node:net';

interface Parts {
  readonly bearer?: string;
  /** The page that sends it. Absent: none. */
  readonly origin?: string;
  /** The address that the proxy before the service has seen. */
  readonly address: string;
  readonly json: unknown;
}

/** A request as it is written. */
export function written(url: string, { bearer, origin, address, json }: Parts): string {
  const { host, pathname } = new URL(url);
  const body = JSON.stringify(json);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Longest time in which a connection has all its answers. */
const ANSWERS_MS_MAX = 60_000;

/**
 * Writes requests at once on a few connections, without waiting for answers, and counts the answers by status. Requests that
 * the service cut off have no answer.
 */
export async function pipelined(
  url: string,
  requests: readonly string[],
  connections = 10,
): Promise<ReadonlyMap<number, number>> {
  const share = Math.ceil(requests.length / connections);
  const parts = Array.from({ length: connections }, (_, at) => requests.slice(at * share, (at + 1) * share));
  const statuses = (await Promise.all(parts.map((part) => onConnection(url, part)))).flat();
  return new Map([...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]));
}

function onConnection(url: string, requests: readonly string[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const statuses: number[] = [];
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
  let rest = '';
  socket.setEncoding('latin1').setTimeout(ANSWERS_MS_MAX, () => socket.destroy());
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // A status line follows the body before it without a line end.
      const status = /HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
      if (status !== undefined) statuses.push(Number(status));
    }
    if (statuses.length === requests.length) socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => resolve(statuses));
  return promise;
}
