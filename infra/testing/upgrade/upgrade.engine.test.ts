import { afterAll, expect, it } from 'vitest';
import { readSchemaVersions } from '../../engines/cassandra/schema-files.ts';
import { readDataVersionsAt } from '../../tools/interface/base.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { CheckCustomer } from '../e2e/checks/checks-customer.fixture.ts';
import { LOADS } from '../faults/loads/all.ts';
import { feedbackLoad } from '../faults/loads/feedback.ts';
import { RUN_LIMITS } from '../faults/stage.ts';
import { exchangeable, expectWayBack } from './going-back.fixture.ts';
import { Load } from './load.fixture.ts';
import { MadeBefore } from './products.fixture.ts';
import { CURRENT_SOURCES, migrateBy, Release, releaseCommit } from './release.fixture.ts';

/** The processes beside the gateway that makes data, in the order in which they are exchanged. Two of a kind take over. */
const ROLES = ['processors', 'processors', 'workers', 'runner', 'gateway'] as const;

const UPGRADE = { timeout: 600_000 };
const commit = releaseCommit();
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

it.runIf(commit !== null)(
  'a cluster of the latest release is upgraded process by process, and its clients see no error',
  UPGRADE,
  async () => {
    const release = Release.of(commit ?? '');
    closers.push(() => release.dispose());
    const shared = { ...clusterEnvironment(), PATH: process.env['PATH'] ?? '', SVC_WORKER_THREADS: '1' };
    migrateBy(release.folder, shared);
    closers.push(() => removeFromCluster(shared));

    const processes: { readonly process: ServiceProcess; upgrade(): Promise<void> }[] = [];
    const start = async (role: string, environment: Readonly<Record<string, string>>) => {
      let sources = release.folder;
      const process = await ServiceProcess.start({
        limits: RUN_LIMITS,
        environment: { ...environment, ...shared, SVC_ROLES: role },
        sources: () => sources,
      });
      closers.push(() => process.dispose());
      const upgrade = async () => {
        sources = CURRENT_SOURCES;
        expect(await process.stop()).toBe(0);
        await process.restart();
      };
      processes.push({ process, upgrade });
      return process;
    };

    const customer = await CheckCustomer.with(async ({ environment = {} }) => {
      for (const role of ROLES) await start(role, environment);
      return await start('gateway', environment);
    });
    closers.push(() => customer.site.close());

    const made = await MadeBefore.by(customer);
    const gateways = processes.filter(({ process }) => process.environment['SVC_ROLES'] === 'gateway');
    const load = new Load(
      gateways.map(({ process }) => process.url),
      { cookie: customer.cookie },
      // Gateways of that release refuse the document of a workspace in which these processors have made a widget.
      LOADS.filter((each) => each !== feedbackLoad),
    );
    await load.untilSteady();
    migrateBy(CURRENT_SOURCES, shared);
    for (const { upgrade } of processes) {
      await upgrade();
      await load.untilSteady();
    }
    await load.end();
    await made.expectUsable();
  },
);

it.runIf(commit !== null)(
  'the latest release uses a cluster of this version, or refuses to start on it and leaves it as it is',
  UPGRADE,
  async () => {
    const release = Release.of(commit ?? '');
    closers.push(() => release.dispose());
    const shared = clusterEnvironment();
    migrateBy(CURRENT_SOURCES, { ...shared, PATH: process.env['PATH'] ?? '' });
    closers.push(() => removeFromCluster(shared));
    const started = await exchangeable(CURRENT_SOURCES, shared);
    closers.push(() => started.customer.close());
    const { cassandra } = readDataVersionsAt(commit ?? '');
    const lowest = (await readSchemaVersions()).at(-1)?.lowestCompatible ?? 0;
    const refusal = cassandra >= lowest ? null : `needs a program of version ${lowest} or later`;
    await expectWayBack(started, release.folder, refusal);
  },
);
