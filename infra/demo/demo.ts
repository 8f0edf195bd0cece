// The main job against a fresh server.
import { readCommandLine } from '../tools/command-line.ts';
import { clusterEnvironment } from '../tools/service-process/cluster-environment.ts';
import { ServiceProcess } from '../tools/service-process/service-process.ts';
import { Client } from './client.ts';
import { type Example, ExampleProcess } from './example-process.ts';
import type { Account } from './owner.ts';
import { Screen, StepError } from './screen.ts';
import { playStory } from './story.ts';

const HELP = `
npm run demo -- [options]

Plays the main jobs against a fresh server and a customer's application, and shows each step. Then both stay open for a look until
Ctrl-C, which removes their data.

  --exit      ends after the last step
  --cluster   runs it on Kafka, Cassandra and Redis, which npm run cluster -- up starts
`;

/** The addresses that answer after the story, each with its meaning. */
const ADDRESSES: readonly (readonly [path: string, what: string])[] = [
  ['/', 'the console, with everything from above'],
  ['/docs', 'the documentation, with examples for this address'],
  ['/openapi.json', 'the whole interface, as OpenAPI 3.1'],
  ['/v1/agent/capabilities', 'products, limits and addresses, as agents read them'],
  ['/readyz', 'whether the server takes work'],
];

/** Processes beside the gateway: two that fold, one that splits and validates, and one that drives browsers. */
const HELPER_ROLES = ['processors', 'processors', 'workers', 'runner'];

const { exit, cluster } = readCommandLine(HELP, {
  options: { exit: { type: 'boolean', default: false }, cluster: { type: 'boolean', default: false } },
}).values;
const screen = new Screen(process.stdout);
const interrupted = untilSignal();
process.exit(await demonstrate());

/**
 * Runs the demo and cleans up after it. Resolves with the exit code: 0 only if everything held. In CI a step that could not run is
 * a failure.
 */
async function demonstrate(): Promise<number> {
  let service: ServiceProcess | null = null;
  const example = new ExampleProcess();
  const helpers: ServiceProcess[] = [];
  try {
    screen.title('One CSV file, all the way');
    const shown = await startExample(example);
    const environment = environmentFor(shown);
    service = cluster ? await startOnCluster(helpers, environment) : await startService(environment);
    const account = await Promise.race([tell(service, shown), interrupted]);
    if (account === 'interrupted') return 1;
    // The server receives a Ctrl-C too, so that the requests of this step may fail.
    if (!exit) await Promise.race([stayUp(service, account, shown), interrupted]);
    return screen.isComplete || process.env['CI'] === undefined ? 0 : 1;
  } catch (error) {
    const sentence = error instanceof StepError ? error.message : `The demo ended: ${String(error)}`;
    process.stderr.write(`\n${sentence}\n${service?.output ?? ''}`);
    return 1;
  } finally {
    await example.stop();
    for (const process of [service, ...helpers]) {
      await process?.stop();
      await process?.dispose();
    }
  }
}

/** Starts a gateway and its helpers as separate processes. The first of them creates topics and tables. */
function startOnCluster(
  helpers: ServiceProcess[],
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  return screen.step('server', 'starts five processes', async () => {
    const shared = { ...clusterEnvironment(), ...environment };
    const start = (SVC_ROLES: string) => ServiceProcess.start({ environment: { ...shared, SVC_ROLES } });
    const gateway = await start('gateway');
    helpers.push(...(await Promise.all(HELPER_ROLES.map(start))));
    return [`${gateway.url} on Kafka, Cassandra and Redis`, gateway];
  });
}

function startService(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return screen.step('server', 'starts without any data', async () => {
    const service = await ServiceProcess.start({ environment });
    return [service.url, service];
  });
}

/** Lets browser checks reach the application on this machine, with the browser that the user names. */
function environmentFor({ ports }: Example): Readonly<Record<string, string>> {
  const chromium = process.env['SVC_CHROMIUM'];
  return {
    ...(chromium !== undefined && { SVC_CHROMIUM: chromium }),
    LOG_LEVEL: 'warn',
    SVC_ALLOW_LOOPBACK: '1',
    SVC_LOOPBACK_PORTS: ports.join(),
  };
}

async function tell({ url, setUpLink }: ServiceProcess, example: Example): Promise<Account> {
  const account = await playStory({ client: new Client(url), screen, setUpLink, example });
  screen.line();
  screen.total();
  return account;
}

function startExample(application: ExampleProcess): Promise<Example> {
  return screen.step('server', 'starts an application', async () => {
    const example = await application.start();
    return [`${example.url}, with three widgets`, example];
  });
}

/** Shows what can be opened, and waits to be interrupted. */
async function stayUp(
  { url }: ServiceProcess,
  { email, password }: Account,
  example: Example,
): Promise<void> {
  const client = new Client(url);
  for (const [path] of ADDRESSES) await client.send('GET', path, 200);
  screen.table(
    ['Open', ''],
    [
      [example.url, "a customer's application with the three widgets"],
      ...ADDRESSES.map(([path, what]) => [url + path, what]),
    ],
  );
  screen.line(`Sign in to the console as ${email} with ${password}.`);
  screen.line(`In the application, ${example.signIn}.`);
  screen.line('Press Ctrl-C to stop the server.');
  await interrupted;
  screen.line();
}

function untilSignal(): Promise<'interrupted'> {
  const { promise, resolve } = Promise.withResolvers<'interrupted'>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('interrupted'));
  return promise;
}
