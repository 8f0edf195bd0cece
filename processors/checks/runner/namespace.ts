// Asks: this machine whether a process may make network namespaces.
import { spawnSync } from 'node:child_process';

const TIMEOUT_MS = 10_000;

/**
 * True if a browser can have a network namespace: on Linux, as root with the right to make one (`CAP_SYS_ADMIN`), with `ip`
 * (iproute2) to start its loopback interface, and with `nsenter` to listen in it.
 */
export function canMakeNamespaces(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const command = 'command -v nsenter && unshare --net ip link set dev lo up';
  return spawnSync('sh', ['-c', command], { stdio: 'ignore', timeout: TIMEOUT_MS }).status === 0;
}
