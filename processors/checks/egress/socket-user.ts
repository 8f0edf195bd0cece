// Reads: /proc/net/tcp. Linux only.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The places of the two addresses and of the user in a line of the table (proc_net_tcp in the documentation of the kernel). */
const LOCAL_FIELD = 1;
const REMOTE_FIELD = 2;
const USER_FIELD = 7;
/** 127.0.0.1, in the order of the bytes of this machine. */
const LOOPBACK = '0100007F';

/** The user of the process at the other end of a connection over 127.0.0.1; null if the system does not tell. */
export function userOf({
  localPort = 0,
  remotePort = 0,
}: Pick<Socket, 'localPort' | 'remotePort'>): number | null {
  // At the other end, the addresses have changed places.
  const [local, remote] = [endOf(remotePort), endOf(localPort)];
  for (const line of table().split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields[LOCAL_FIELD] === local && fields[REMOTE_FIELD] === remote) return Number(fields[USER_FIELD]);
  }
  return null;
}

function endOf(port: number): string {
  return `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

function table(): string {
  try {
    return readFileSync('/proc/net/tcp', 'utf8');
  } catch {
    return '';
  }
}
