import { afterAll, expect, it } from 'vitest';
import { CURRENT_SCHEMA } from '../../engines/embedded/schema.ts';
import { readDataVersionsAt } from '../../tools/interface/base.ts';
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

/** A customer of a service on a data folder, which is started from other sources with {@link exchange}. */
async function customerOf(first: string) {
  let sources = first;
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
  const exchange = async (next: string) => {
    sources = next;
    // A start that was refused has left nothing to stop.
    if (customer.service.exitCode === null) expect(await customer.service.stop()).toBe(0);
    await customer.service.restart();
  };
  return { customer, exchange };
}

function releasedSources(): string {
  const release = Release.of(commit ?? '');
  closers.push(() => release.dispose());
  return release.folder;
}

it.runIf(commit !== null)(
  'a data folder of the latest release is used on, and its clients see no error',
  UPGRADE,
  async () => {
    const { customer, exchange } = await customerOf(releasedSources());
    const made = await MadeBefore.by(customer);
    const load = new Load([customer.service.url], { cookie: customer.cookie });
    await load.untilSteady();
    await exchange(CURRENT_SOURCES);
    await load.untilSteady();
    await load.end();
    await made.expectUsable();
  },
);

it.runIf(commit !== null)(
  'the latest release uses a data folder of this version, or refuses to start on it and leaves it as it is',
  UPGRADE,
  async () => {
    const { customer, exchange } = await customerOf(CURRENT_SOURCES);
    const made = await MadeBefore.by(customer);
    const { embedded } = readDataVersionsAt(commit ?? '');
    if (embedded === CURRENT_SCHEMA.version) await exchange(releasedSources());
    else {
      await expect(exchange(releasedSources())).rejects.toThrow(`schema version ${CURRENT_SCHEMA.version}`);
      await exchange(CURRENT_SOURCES);
    }
    await made.expectUsable();
  },
);
