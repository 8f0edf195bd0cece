// A customer's application next to a server, ready to look at.
import './end-with-parent.ts';
import { once } from 'node:events';
import { readCommandLine } from '../tools/command-line.ts';
import { ServiceProcess } from '../tools/service-process/service-process.ts';
import { AppProcess } from './app-process.ts';
import { ExampleData } from './example-data.ts';
import { prepareWorkspace } from './prepare.ts';

const HELP = `
npm run example -- [options]

Starts a customer's application with the widgets next to a server, and prints the addresses and how to sign in. Both run until
Ctrl-C.

  --data FOLDER   keeps the data of both there, and uses them at the next start
`;

const { values } = readCommandLine(HELP, { options: { data: { type: 'string' } } });
const data = new ExampleData(values.data ?? null);
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const port = await data.port();
const endWithParent = `--import=${new URL('./end-with-parent.ts', import.meta.url).href}`;
const service = await ServiceProcess.start({
  environment: {
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: endWithParent,
    SVC_ALLOW_LOOPBACK: '1',
    SVC_LOOPBACK_PORTS: String(port),
    SVC_DATA_FOLDER: data.serviceFolder,
  },
});
let app: AppProcess | null = null;
try {
  const environment =
    data.environment() ??
    data.keep(port, (await prepareWorkspace(service, `http://127.0.0.1:${port}`)).environment);
  app = new AppProcess(
    port,
    {
      ...environment,
      APP_WELL_KNOWN_FOLDER: data.wellKnownFolder,
      SVC_URL: service.url,
      NODE_OPTIONS: endWithParent,
    },
    data.folder,
  );
  await app.start();
  process.stdout.write(
    `The application: ${app.url}\n` +
      '  sign in as ada@app.example with "ada at the example"; bob@app.example, "bob at the example", may import nothing\n' +
      `The service: ${service.url}\n` +
      (values.data === undefined
        ? 'Ctrl+C ends both and removes their data.\n'
        : `Ctrl+C ends both; their data stay in ${data.folder}.\n`),
  );
  await interrupted;
} finally {
  await app?.stop();
  await app?.dispose();
  await service.stop();
  await service.dispose();
  data.dispose();
}
