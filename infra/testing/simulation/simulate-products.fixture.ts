import { importConsumers } from '../../../processors/imports/pipeline.ts';
import { inlineJobs } from '../../../processors/imports/threads/inline-jobs.fixture.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { WorkLane } from '../../../processors/runtime/work/work-lane.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import { folds, workSubscriptions } from '../../service/processors.ts';
import { checkRuntime } from './checks.fixture.ts';
import type { Emphasis } from './conditions.fixture.ts';
import { Customer, setUpOf } from './customers.fixture.ts';
import { type Cast, checkProducts } from './products-checks.fixture.ts';
import { commandsOf, refold } from './refold.fixture.ts';
import { askOneByOne, type Play, type Run, runUnderFaults } from './run-under-faults.fixture.ts';
import type { Programs } from './world.fixture.ts';

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

/** A way to break a rule where a product keeps it: other folds, or what a processor's engines are wrapped in. */
export interface ProductMutation {
  readonly fold?: (fold: AnyFold) => AnyFold;
  readonly engines?: (engines: ProcessorDependencies) => ProcessorDependencies;
}

function programsWith(changed: readonly AnyFold[], wrap: ProductMutation['engines']): Programs {
  const jobs = inlineJobs();
  return {
    processorEngines: wrap ?? ((own) => own),
    // Without what sweeps: it stays behind on purpose, and would never come to rest.
    subscriptions: (engines) => [
      ...changed.map((fold) => foldSubscription(fold, engines)),
      ...workSubscriptions(engines, CAST.limits, importConsumers(engines, jobs), new WorkLane()),
    ],
  };
}

/**
 * One run of all products under faults, which follows from its seed alone. A fold that was changed is held against itself:
 * what is seen of it then is what it does to customers.
 */
export function simulateProducts(
  seed: number,
  { fold: change = (fold) => fold, engines }: ProductMutation = {},
  emphasis?: Emphasis,
): Promise<Run> {
  const changed = folds(CAST.limits).map(change);
  const play: Play = {
    programs: programsWith(changed, engines),
    begin({ random, world, clients }) {
      for (const name of CAST.organizations) void clients.askUntilKnown(setUpOf(name));
      for (const name of CAST.customers) {
        const customer = new Customer(name, random.pick(CAST.organizations), world, clients);
        world.scheduler.after(random.between(0, 3_000), () => void customer.live());
      }
    },
    async askAgain(stage) {
      // An erasure takes along what a waiter could find: a client that misses that one reply has to ask twice.
      stage.world.replies.faults = null;
      await askOneByOne(stage);
    },
    async check({ world, clients }) {
      const refolded = refold(commandsOf(world), changed);
      return [...checkProducts(world, clients, CAST), ...checkRuntime(world, refolded, REPORTS)];
    },
  };
  return runUnderFaults(seed, play, emphasis);
}
