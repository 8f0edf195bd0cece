// Asks: this machine whether a process may make network namespaces.
import { spawnSync } from 'node:child_process';

const TIMEOUT_MS = 10_000;

/**
 * True if a browser can have a network namespace: on Linux, as root with the rights to make one (`CAP_SYS_ADMIN`) and
 * to start its loopback interface (`CAP_NET_ADMIN`), for which it takes `unshare` (util-linux) and `ip` (iproute2).
 */
export function canMakeNamespaces(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const command = 'unshare --net ip link set dev lo up';
  return spawnSync('sh', ['-c', command], { stdio: 'ignore', timeout: TIMEOUT_MS }).status === 0;
}
