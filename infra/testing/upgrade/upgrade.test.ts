import { afterAll, it } from 'vitest';
import { CURRENT_SCHEMA } from '../../engines/embedded/schema.ts';
import { readDataVersionsAt } from '../../tools/interface/base.ts';
import { exchangeable, expectWayBack } from './going-back.fixture.ts';
import { Load } from './load.fixture.ts';
import { MadeBefore } from './products.fixture.ts';
import { CURRENT_SOURCES, Release, releaseCommit } from './release.fixture.ts';

const UPGRADE = { timeout: 300_000 };
const commit = releaseCommit();
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function customerOf(sources: string) {
  const started = await exchangeable(sources, { SVC_ENGINE: 'embedded' });
  closers.push(() => started.customer.close());
  return started;
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
    const { embedded } = readDataVersionsAt(commit ?? '');
    const { version } = CURRENT_SCHEMA;
    const refusal = embedded === version ? null : `schema version ${version}`;
    await expectWayBack(await customerOf(CURRENT_SOURCES), releasedSources(), refusal);
  },
);
