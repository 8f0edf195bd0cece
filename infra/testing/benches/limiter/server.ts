// Runs one contender as a separate process. Arguments: its name, and the address of Redis; for ours also a folder, which the
// embedded engine takes. Sends its port to its parent.
import { serveOurs } from './ours.ts';
import { serveEcho, serveExpress, serveFastify, serveNodeHttp } from './rivals.ts';
import type { Contender } from './scene.ts';

const SERVERS: Readonly<Record<Contender, (url: string) => Promise<number>>> = {
  ours: serveOurs,
  'node-http': serveNodeHttp,
  express: serveExpress,
  'rate-limiter-flexible': (url) => serveFastify(url, { enableAutoPipelining: false }),
  'rate-limiter-flexible-pipelined': (url) => serveFastify(url, { enableAutoPipelining: true }),
  echo: serveEcho,
};

const [name, url] = process.argv.slice(2);
const serve = SERVERS[name as Contender];
if (serve === undefined || url === undefined) throw new Error('starting without a contender and a server');
process.send?.(await serve(url));
// An orderly end, so that a profile that was asked for is written.
process.once('SIGTERM', () => process.exit(0));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
