// A gateway with the limiter on Redis, in a separate process. Arguments: the address of Redis, and the calls of a key in a minute.
import { serveKeys } from '../limiter/ours.ts';
import { KEYS } from './scene.ts';

const [url, perMinute] = process.argv.slice(2);
if (url === undefined || perMinute === undefined) throw new Error('starting without a Redis and a rate');
process.once('SIGTERM', () => process.exit(0));
process.send?.(await serveKeys(url, KEYS, Number(perMinute)));
