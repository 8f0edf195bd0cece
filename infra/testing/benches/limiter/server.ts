// Runs one contender as a separate process, or as several that share a port. Arguments: its name, and the address of Redis; for ours
// also a folder, which the embedded engine takes. Sends its port to its parent, and the CPU time of all its processes when asked.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { serveOurs } from './ours.ts';
import { serveEcho, serveExpress, serveFastify, serveNodeHttp } from './rivals.ts';
import { type Contender, GATEWAY_PROCESSES } from './scene.ts';

const SERVERS: Readonly<Record<Contender, (url: string) => Promise<number>>> = {
  ours: serveOurs,
  'ours-in-2-processes': serveOurs,
  'ours-in-4-processes': serveOurs,
  'ours-several': serveOurs,
  'ours-each': serveOurs,
  'node-http': serveNodeHttp,
  express: serveExpress,
  'rate-limiter-flexible': (url) => serveFastify(url, { enableAutoPipelining: false }),
  'rate-limiter-flexible-pipelined': (url) => serveFastify(url, { enableAutoPipelining: true }),
  echo: serveEcho,
};

const [name, url] = process.argv.slice(2) as [Contender?, string?];
if (name === undefined || url === undefined || SERVERS[name] === undefined) {
  throw new Error('starting without a contender and a server');
}
const processes = GATEWAY_PROCESSES[name] ?? 1;
// An orderly end, so that a profile that was asked for is written.
process.once('SIGTERM', () => process.exit(0));
if (processes > 1 && cluster.isPrimary) await serveTogether(processes);
else await serve(SERVERS[name], url);

async function serve(server: (url: string) => Promise<number>, place: string): Promise<void> {
  const port = await server(place);
  process.on('message', () => process.send?.(ownCpu()));
  process.send?.(port);
}

async function serveTogether(count: number): Promise<void> {
  const gateways: Worker[] = [];
  let port: unknown;
  for (let started = 0; started < count; started += 1) {
    const gateway = cluster.fork();
    [port] = (await once(gateway, 'message')) as [unknown];
    gateways.push(gateway);
  }
  process.on('message', async () => {
    const answers = gateways.map(async (gateway) => {
      const answer = once(gateway, 'message') as Promise<[number]>;
      gateway.send('cpu');
      return (await answer)[0];
    });
    process.send?.((await Promise.all(answers)).reduce((sum, cpu) => sum + cpu, ownCpu()));
  });
  process.send?.(port);
}

/** Microseconds of CPU that this process has taken so far. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
