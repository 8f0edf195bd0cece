import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { CheckCustomer } from '../e2e/checks-customer.fixture.ts';
import { RUN_LIMITS } from '../faults/stage.ts';
import { Load } from './load.fixture.ts';
import { MadeBefore } from './products.fixture.ts';
import { CURRENT_SOURCES, Release, releaseCommit } from './release.fixture.ts';

const UPGRADE = { timeout: 300_000 };
const commit = releaseCommit();
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

it.runIf(commit !== null)(
  'a data folder of the latest release is used on, and its clients see no error',
  UPGRADE,
  async () => {
    const release = Release.of(commit ?? '');
    closers.push(() => release.dispose());
    let sources = release.folder;
    const customer = await CheckCustomer.with(
      (options) =>
        ServiceProcess.start({
          ...options,
          limits: RUN_LIMITS,
          environment: { ...options.environment, SVC_ENGINE: 'embedded' },
          sources: () => sources,
        }),
      {},
    );
    closers.push(() => customer.close());
    const made = await MadeBefore.by(customer);
    const load = new Load([customer.service.url], { cookie: customer.cookie });
    await load.untilSteady();
    sources = CURRENT_SOURCES;
    expect(await customer.service.stop()).toBe(0);
    await customer.service.restart();
    await load.untilSteady();
    await load.end();
    await made.expectUsable();
  },
);
