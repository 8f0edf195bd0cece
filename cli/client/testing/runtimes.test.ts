import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChecklistsCustomer } from '../../../infra/testing/e2e/checklists/checklists-customer.fixture.ts';
import { ORIGIN } from '../../../infra/testing/e2e/customer.fixture.ts';
import { ImportsCustomer } from '../../../infra/testing/e2e/imports/imports-customer.fixture.ts';
import { LimiterService } from '../../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import { ServiceInProcess } from '../../../infra/testing/e2e/service-in-process.fixture.ts';
import { CLI, ROOT } from '../../../infra/tools/browser/digest.ts';
import { RUNTIMES } from '../../testing/bundles.fixture.ts';
import { type Decide, DisturbingProxy } from '../../testing/proxy.fixture.ts';
import { CLIENT_VERSION } from '../version.ts';
import type { ScenarioSettings } from './scenario.fixture.ts';

const moduleNamed = (name: string) =>
  pathToFileURL(join(ROOT, CLI.folder, `${name}-v${CLIENT_VERSION}.js`)).href;
const MODULE = moduleNamed('svc-client');
const SCENARIO = join(import.meta.dirname, 'scenario.fixture.ts');
const EXAMINING = join(import.meta.dirname, 'examining.fixture.ts');
const ROWS = 150;

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** Deno as its package puts it in place, or as the package of the platform brings it where install scripts do not run. */
const DENO = [
  join(dirname(require.resolve('deno/package.json')), 'deno'),
  join(ROOT, 'node_modules/@deno/linux-x64-glibc/deno'),
].find((file) => existsSync(file));

const PROGRAMS: readonly {
  readonly runtime: string;
  readonly program: string;
  readonly words: readonly string[];
}[] = [
  ...RUNTIMES.map(({ runtime, program }) => ({ runtime, program, words: [] })),
  ...(DENO === undefined
    ? []
    : [{ runtime: 'Deno', program: DENO, words: ['run', '--allow-net', '--allow-read'] }]),
];

/** Loses or cuts every second answer. */
const EVERY_SECOND: Decide = ({ number }) =>
  number % 2 === 0 ? 'forward' : number % 4 === 1 ? 'lose' : 'cut';
const SILENT_ONES: Decide = ({ number, body }) =>
  body.includes('"silent"') ? new Promise(() => undefined) : number === 1 ? 'lose' : 'forward';

const services: { dispose(): Promise<void> }[] = [];
const proxies: DisturbingProxy[] = [];
let customer: ImportsCustomer;
let settings: ScenarioSettings;

async function proxyTo(url: string, decide: Decide): Promise<string> {
  const proxy = await DisturbingProxy.start(url);
  proxy.decide = decide;
  proxies.push(proxy);
  return proxy.url;
}

beforeAll(async () => {
  const limiter = await LimiterService.start();
  customer = await ImportsCustomer.start([{ key: 'code', type: 'text', required: true }]);
  const checklists = await ChecklistsCustomer.of(await ServiceInProcess.start(), ['connect', 'invite']);
  services.push(limiter, customer.service, checklists.service);
  const { credential, installationId, checklistId } = checklists;
  const { workspaceId, schemaId } = customer;
  const { key } = await limiter.newKey('test');
  const capability = await customer.newCapability();
  settings = {
    limits: { baseUrl: await proxyTo(limiter.main.url, SILENT_ONES), key },
    checklist: {
      baseUrl: await proxyTo(checklists.service.url, EVERY_SECOND),
      ...{ credential, installationId, checklistId, cohort: 'test' },
    },
    imports: {
      baseUrl: await proxyTo(customer.service.url, EVERY_SECOND),
      ...{ capability, workspaceId, schemaId },
    },
    origin: ORIGIN,
  };
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  for (const service of services) await service.dispose();
});

describe.each(PROGRAMS)('the library in $runtime', ({ runtime, program, words }) => {
  it('does everything once, although answers are lost and cut', async () => {
    const lines = Array.from({ length: ROWS }, (_, each) => `${runtime} ${each}`);
    await customer.approved(Buffer.from(['code', ...lines, ''].join('\n')), [
      { source: 'code', target: 'code' },
    ]);
    const { stdout } = await run(program, [...words, SCENARIO, MODULE, JSON.stringify(settings)], {
      cwd: ROOT,
    });
    expect(JSON.parse(stdout)).toEqual({
      decisions: ['true service', 'false service', 'false memory'],
      late: 'no_answer timeout',
      recorded: 'recorded',
      progress: 'svc_progress_',
      rows: ROWS,
      session: 'svc_import_',
      refused: 'unauthorized',
    });
  });

  it('examines a file in another encoding', async () => {
    const { stdout } = await run(program, [...words, EXAMINING, moduleNamed('svc-client-examine')], {
      cwd: ROOT,
    });
    expect(JSON.parse(stdout)).toEqual({
      findings: ['encoding', 'separator'],
      names: ['Ort', 'Betrag'],
      rows: [['M\u00fcnchen', '1,50']],
    });
  });
});
