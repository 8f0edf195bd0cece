// A customer's application next to a fresh server, ready to look at: `npm run example`. It stays up until it is interrupted.
import { once } from 'node:events';
import { freePort, ServiceProcess } from '../e2e/service-process.ts';
import { AppProcess } from './app-process.ts';
import { prepareWorkspace } from './prepare.ts';

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const service = await ServiceProcess.start({
  environment: { LOG_LEVEL: 'warn', SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(port) },
});
let app: AppProcess | null = null;
try {
  const { environment } = await prepareWorkspace(service, origin);
  app = new AppProcess(port, environment);
  await app.start();
  process.stdout.write(
    `The application: ${app.url}\n` +
      '  sign in as ada@app.example with "ada at the example"; bob@app.example, "bob at the example", may import nothing\n' +
      `The service: ${service.url}\n` +
      'Ctrl+C ends both and removes their data.\n',
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} finally {
  await app?.stop();
  await app?.dispose();
  await service.stop();
  await service.dispose();
}
