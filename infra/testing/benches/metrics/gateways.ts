// Runs two gateways of the limiter in one process, of which one counts nothing. Argument: the address of Redis. Sends their ports.
import { serveOurs, serveOursUnmetered } from '../limiter/ours.ts';

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('starting without a server');
process.send?.({ usual: await serveOurs(url), unmetered: await serveOursUnmetered(url) });
process.on('disconnect', () => process.exit());
