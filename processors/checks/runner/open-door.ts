// A program that `namespace-door.ts` starts in a network namespace: listens there, and gives the socket to its parent.
import { createServer } from 'node:net';

const server = createServer();
server.listen(0, '127.0.0.1', () => process.send?.('open', server));
