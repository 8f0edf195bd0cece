// The entry of the process. Node keeps the compiled modules of a first start for the later ones, if it is told before they are
// imported.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { sizeYoungGeneration } from './service/gc-flags.ts';
import { readCommandLine } from './tools/command-line.ts';

const HELP = `
npm start

Starts the service and its console, until Ctrl-C or SIGTERM. Its settings are environment variables, and .env.example documents
all of them. A wrong value ends the start and says what is allowed. The most useful ones, with their defaults:

  PORT=8787               the port on which the server listens
  HOST=127.0.0.1          the address or host name on which the server listens
  SVC_ENGINE=embedded     one process on one SQLite file; cluster: processes on Kafka, Cassandra and Redis
  SVC_DATA_FOLDER=.data   the folder in which the embedded engine keeps its files
  LOG_LEVEL=info          fatal, error, warn, info, debug or silent

node --env-file=.env infra/main.ts reads them from a file.
`;

readCommandLine(HELP, {});
sizeYoungGeneration('small');
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
await import('./service/process.ts');
