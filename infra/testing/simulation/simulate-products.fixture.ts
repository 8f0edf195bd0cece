import { importConsumers } from '../../../processors/imports/pipeline.ts';
import { inlineJobs } from '../../../processors/imports/threads/inline-jobs.fixture.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../../processors/runtime/fold.ts';
import { WorkLane } from '../../../processors/runtime/work-lane.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { folds, workSubscriptions } from '../../service/processors.ts';
import { checkRuntime } from './checks.fixture.ts';
import { Clients } from './client.fixture.ts';
import { drawConditions, type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { Customer, setUpOf } from './customers.fixture.ts';
import { type Cast, checkProducts } from './products-checks.fixture.ts';
import { Random } from './random.fixture.ts';
import { refold } from './refold.fixture.ts';
import type { Run } from './simulate-ledger.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { type Programs, STARTS_AT, World } from './world.fixture.ts';

/** One place for two customers, and fewer imports than they want. */
const CAST: Cast = {
  customers: ['one', 'two', 'three'],
  organizations: ['a', 'b'],
  limits: mergeLimits({
    plans: { preview: { imports: 1 }, free: { imports: 2 } },
    workspace: { claimedPerOrganization: 1 },
  }),
};

/** The reports of workers, repeats included. */
const REPORTS = new Set([
  'split-finished',
  'split-failed',
  'partition-validated',
  'work-failed',
  'erase-rows',
]);

/** Without what sweeps: it stays behind on purpose, and would never come to rest. */
function folded(engines: ProcessorDependencies, change: (fold: AnyFold) => AnyFold = (fold) => fold) {
  return folds(CAST.limits).map((fold) => foldSubscription(change(fold), engines));
}

/** A way to break a rule where a product keeps it: other folds, or what a processor's engines are wrapped in. */
export interface ProductMutation {
  readonly fold?: (fold: AnyFold) => AnyFold;
  readonly engines?: (engines: ProcessorDependencies) => ProcessorDependencies;
}

function programsWith({ fold, engines: wrap = (own) => own }: ProductMutation): Programs {
  const jobs = inlineJobs();
  return {
    processorEngines: wrap,
    subscriptions: (engines) => [
      ...folded(engines, fold),
      ...workSubscriptions(engines, CAST.limits, importConsumers(engines, jobs), new WorkLane()),
    ],
  };
}

/**
 * One run of all products under faults, which follows from its seed alone. A fold that was changed is held against itself:
 * what is seen of it then is what it does to customers.
 */
export async function simulateProducts(
  seed: number,
  mutation: ProductMutation = {},
  emphasis?: Emphasis,
): Promise<Run> {
  const random = new Random(seed);
  const conditions = drawConditions(random, emphasis);
  const world = new World(random, programsWith(mutation), conditions);
  const violations: string[] = [];
  const clients = new Clients(world);
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    for (const name of CAST.organizations) void clients.askUntilKnown(setUpOf(name));
    for (const name of CAST.customers) {
      const customer = new Customer(name, random.pick(CAST.organizations), world, clients);
      world.scheduler.after(random.between(0, 3_000), () => void customer.live());
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    // An erasure takes along what a waiter could find: a client that misses that one reply has to ask twice.
    world.replies.faults = null;
    for (const intent of clients.unknown()) {
      void clients.ask(intent);
      await world.settle();
    }
    violations.push(...checkProducts(world, clients, CAST));
    const refolded = await refold(commandsOf(world), (engines) => folded(engines, mutation.fold));
    violations.push(...checkRuntime(world, refolded, REPORTS));
  } catch (error) {
    violations.push(error instanceof Error ? String(error.stack) : String(error));
  } finally {
    world.close();
  }
  return { violations, trace: digestOf(clients.attempts.map(({ observed }) => observed)) };
}

/** The commands that folds have folded. */
function commandsOf(world: World): readonly LogRecord[] {
  return world.log.records().filter(({ topic }) => topic !== 'dead-letters');
}
