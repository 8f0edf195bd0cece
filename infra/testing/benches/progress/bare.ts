// The least that a 304 costs: `node:http` that answers every request with the headers of the service's own answer. Gets the
// headers from its parent, and sends its port.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.once('message', async (headers: Record<string, string>) => {
  const server = createServer((_request, response) => response.writeHead(304, headers).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
});
