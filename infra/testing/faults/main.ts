// A load over HTTP on real servers while everything fails, and the proof that nothing was lost or doubled.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '../../tools/command-line.ts';
import { seeded } from '../seeded.fixture.ts';
import { check, type Finding } from './check.ts';
import { Customer, RunOverError, UnansweredError } from './customer.ts';
import { gather } from './evidence.ts';
import { History } from './history.ts';
import { inject } from './inject.ts';
import { credentialsLoad } from './loads/credentials.ts';
import { importsLoad } from './loads/imports.ts';
import { bodyOf, type Load, type Owner, StoryEndedError } from './loads/load.ts';
import { milestonesLoad } from './loads/milestones.ts';
import { type PlannedFault, planFaults } from './plan.ts';
import { type Injected, table } from './report.ts';
import { readRunSettings } from './settings.ts';
import { Stage } from './stage.ts';

const HELP = `
npm run test:faults

Loads the service over HTTP on Kafka, Cassandra and Redis while servers are killed, frozen and cut off, then proves that nothing
was lost or doubled. It takes 8 minutes, and starts its own servers. A failure leaves the logs and the data.

  FAULT_SEED=7             repeats the plan of an earlier run, which printed its seed; drawn by default
  FAULT_ROUNDS=5           injects everything five times; once by default
  FAULT_KINDS=kill,grow    injects only the faults whose names contain one of these; all by default
`;

/** The loads on the service. A new product adds a line. */
const LOADS: readonly Load[] = [credentialsLoad, importsLoad, milestonesLoad];
const CUSTOMERS_PER_LOAD = 2;

/** Acknowledgments after a fault was mended that show that the service works again, and how long they may take. */
const RECOVERED_ACKNOWLEDGMENTS = 10;
const RECOVERY_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 100;
const FINDINGS_SHOWN = 40;

/** The state of a run. */
interface Run {
  readonly stage: Stage;
  readonly history: History;
  readonly random: () => number;
  over: boolean;
  /** Errors of the load itself: a bug of a story, or of the service's answers. */
  readonly troubles: unknown[];
}

readCommandLine(HELP, {});
const interrupted = Promise.withResolvers<never>();
interrupted.promise.catch(() => undefined);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.reject(new Error(`running to the end: ended by ${signal}`)));
}
// After an interruption, customers would still wait for a service that is gone.
process.exit(await main());

async function main(): Promise<number> {
  const { seed, rounds, kinds } = readRunSettings(process.env);
  say(`FAULT_SEED=${seed} FAULT_ROUNDS=${rounds}`);
  const stage = await Stage.open(say);
  let sound = false;
  try {
    const performing = perform(stage, planFaults(seed, rounds, kinds), seeded(seed));
    sound = await Promise.race([performing, interrupted.promise]);
    return sound ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    stage.keepLogs();
    await stage.close({ keep: !sound });
    say(sound ? 'Everything held.' : `It did not hold. FAULT_SEED=${seed}; logs and data: ${stage.folder}`);
  }
}

/** Loads the service, injects the plan, waits for the end and judges. True when nothing was found. */
async function perform(stage: Stage, plan: readonly PlannedFault[], random: () => number): Promise<boolean> {
  const run: Run = { stage, history: new History(), random, over: false, troubles: [] };
  const owner = await setUp(run);
  const customers = LOADS.flatMap((load) =>
    Array.from({ length: CUSTOMERS_PER_LOAD }, () => tellAgainAndAgain(run, load, owner)),
  );
  const injected: Injected[] = [];
  try {
    for (const fault of plan) injected.push(await disturb(run, fault));
  } finally {
    run.over = true;
    await Promise.all(customers);
  }
  const findings = await analyze(run);
  say('', ...table(run.history.operations, injected, findings), '');
  const stuck = injected.filter(({ recoveredAt }) => recoveredAt === null);
  for (const { fault } of stuck) say(`not recovered: ${fault}`);
  for (const { kind, what } of findings.slice(0, FINDINGS_SHOWN)) say(`${kind}: ${what}`);
  for (const trouble of run.troubles) say(`trouble: ${String(trouble)}`);
  return findings.length === 0 && stuck.length === 0 && run.troubles.length === 0;
}

async function setUp(run: Run): Promise<Owner> {
  const code = new URL(run.stage.setUpLink).hash.slice(1);
  const json = { code, organization: 'Faults', email: 'owner@faults.example', password: randomUUID() };
  const name = 'set up';
  const told = await customerOf(run).intent({
    name,
    request: { method: 'POST', path: '/v1/console/set-up', json },
    status: 201,
    // It has no key, so that a second request would be refused.
    repeated: false,
    promises: () => [],
  });
  bodyOf(name, told);
  const cookie = told.kind === 'acknowledged' ? told.cookie : null;
  if (cookie === null) throw new Error('reading the session cookie of the set-up');
  return { cookie };
}

function customerOf(run: Run): Customer {
  const { stage, history, random } = run;
  return new Customer({ gateways: stage.gateways, history, random, isOver: () => run.over });
}

async function tellAgainAndAgain(run: Run, load: Load, owner: Owner): Promise<void> {
  while (!run.over) {
    try {
      await load.tell(customerOf(run), owner);
    } catch (error) {
      if (error instanceof RunOverError) return;
      // The history has it: the checker says whether it was in order.
      if (error instanceof StoryEndedError || error instanceof UnansweredError) continue;
      run.troubles.push(error);
      return;
    }
  }
}

/** Injects one fault in the middle of the load, and waits until the service works again by itself. */
async function disturb({ stage, history }: Run, planned: PlannedFault): Promise<Injected> {
  await pause(planned.afterMs);
  const beganAt = performance.now();
  await inject(planned, stage, history);
  const mendedAt = performance.now();
  const wanted = history.acknowledged + RECOVERED_ACKNOWLEDGMENTS;
  let recoveredAt: number | null = null;
  while (recoveredAt === null && performance.now() < mendedAt + RECOVERY_MS_MAX) {
    await pause(POLL_INTERVAL_MS);
    if (history.acknowledged >= wanted && (await stage.isReady())) recoveredAt = performance.now();
  }
  const { fault } = planned;
  const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`;
  const end = recoveredAt === null ? 'not recovered' : `recovered after ${seconds(mendedAt, recoveredAt)}`;
  say(`${fault}: ${seconds(beganAt, mendedAt)}, ${end}, ${history.acknowledged} acknowledged`);
  return { fault, beganAt, mendedAt, recoveredAt };
}

async function analyze({ stage, history }: Run): Promise<Finding[]> {
  say('waiting for the service to come to rest, then reading the topics and the tables');
  const evidence = await gather(
    stage,
    history,
    LOADS.flatMap(({ counted }) => counted),
  );
  say(
    `${evidence.records.length} records, ${evidence.stored.size} aggregates, ${history.operations.length} intents`,
  );
  return check(evidence);
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
