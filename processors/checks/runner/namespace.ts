// Asks: this machine for the namespaces that a process may make.
import { spawnSync } from 'node:child_process';

const TIMEOUT_MS = 10_000;

/** The namespaces that a room has: none, one of the network, or one of processes as well. */
export type Namespaces = 'none' | 'network' | 'network and processes';

/** Options of unshare(1). In a namespace of processes, all end with the first one, and /proc shows no others. */
const OPTIONS: Readonly<Record<Namespaces, readonly string[]>> = {
  none: [],
  network: ['--net'],
  'network and processes': ['--net', '--pid', '--fork', '--mount-proc'],
};

/** The words in front of a command that give it namespaces, the network with its loopback interface. */
export function unshareWords(namespaces: Namespaces): readonly string[] {
  if (namespaces === 'none') return [];
  return ['unshare', ...OPTIONS[namespaces], '--', 'sh', '-c', 'ip link set dev lo up && exec "$@"', 'sh'];
}

/**
 * Returns the most namespaces that a browser can have: on Linux, as root with the rights to make them (`CAP_SYS_ADMIN`) and to start
 * a loopback interface (`CAP_NET_ADMIN`), for which it takes `unshare` (util-linux) and `ip` (iproute2). Some container engines
 * refuse to mount the /proc that a namespace of processes needs.
 */
export function possibleNamespaces(): Namespaces {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'none';
  const works = (namespaces: Namespaces) => {
    const [command = '', ...words] = [...unshareWords(namespaces), 'true'];
    return spawnSync(command, words, { stdio: 'ignore', timeout: TIMEOUT_MS }).status === 0;
  };
  return (['network and processes', 'network'] as const).find(works) ?? 'none';
}
