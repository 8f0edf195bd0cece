import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { senderOf } from '../../../processors/runtime/effects/delivery.ts';
import { followUpSweep } from '../../../processors/runtime/sweeps/follow-up-sweep.ts';
import { type Sweep, sweepSubscription } from '../../../processors/runtime/sweeps/sweeper.ts';
import type { InputTable } from '../../../schemas/base/command.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { checkRuntime } from './checks.fixture.ts';
import { Clients } from './client.fixture.ts';
import { drawConditions, type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { ledger, ledgerCommands } from './ledger.fixture.ts';
import { checkLedger } from './ledger-checks.fixture.ts';
import { ACCOUNTS, drawIntents } from './ledger-intents.fixture.ts';
import { forwarding, withHandler } from './mutating.fixture.ts';
import { Random } from './random.fixture.ts';
import { refold } from './refold.fixture.ts';
import { foldedRecords } from './simulate-ledger.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { type Programs, STARTS_AT, World } from './world.fixture.ts';

/** A broken sweep of follow-ups: another sweep, or a wrapper of a processor's engines. */
export interface ForgettingMutation {
  readonly sweep?: (sweep: Sweep<InputTable>) => Sweep<InputTable>;
  readonly engines?: (engines: ProcessorDependencies) => ProcessorDependencies;
}

/**
 * The lifetime of outcomes of follow-ups. As in the service, it exceeds the error of the clocks and the longest time for which a
 * processor stands still.
 */
const KEPT_MS = 3 * HOUR_MS;
/** When the sweep reads the first records; the grace that a sweep adds is part of it. */
const SWEPT_AFTER_MS = KEPT_MS + MINUTE_MS;
/** Every partition has gone on by then: a record may be stamped an hour ahead. */
const REPEATED_AFTER_MS = 2 * HOUR_MS;
/** Time for both steps of the sweep. */
const QUIET_MS_MAX = 4 * SWEPT_AFTER_MS;
/** Commands that load the senders while the sweep asks them. */
const TOUCHES = 6;

/** Commands that sweeps send at their times, and their answers. */
const REPORTS: ReadonlySet<string> = new Set(['confirm-delivery', 'delivery-confirmed', 'forget-outcome']);

/** @param isBusy whether partitions are never quiet, so that effects that were carried out are not removed */
function programsWith(
  { sweep = (own) => own, engines: wrap = (own) => own }: ForgettingMutation,
  isBusy: () => boolean,
): Programs {
  return {
    processorEngines: wrap,
    subscriptions: (engines) => [
      withHandler(foldSubscription(ledger, engines), (handler) => ({
        ...forwarding(handler),
        idle: async () => (isBusy() ? 'done' : handler.idle()),
      })),
      sweepSubscription(sweep(ledgerSweep(engines)), engines),
    ],
  };
}

/** Ends all processors at once, with effects that they had still to remove; another one takes their place. */
function cutPower(world: World): void {
  for (const host of world.processors.filter(({ alive }) => alive)) {
    host.crash();
    world.groups.expel(host);
  }
  world.startProcessor();
}

function ledgerSweep(engines: ProcessorDependencies): Sweep<InputTable> {
  return followUpSweep({ topic: 'workspaces', commands: ledgerCommands, keptMs: KEPT_MS }, engines);
}

/**
 * One run of the ledger with the sweep of its follow-ups, which follows from its seed alone: trouble, the same trouble when
 * the sweep asks the senders, then peace. In the end every sender is loaded once more.
 */
export async function simulateForgetting(
  seed: number,
  mutation: ForgettingMutation = {},
  emphasis?: Emphasis,
): Promise<{ readonly violations: readonly string[] }> {
  const random = new Random(seed);
  const conditions = drawConditions(random, emphasis);
  const endsWithPowerCut = random.chance(0.7);
  let isBusy = endsWithPowerCut;
  const world = new World(
    random,
    programsWith(mutation, () => isBusy),
    conditions,
  );
  const violations: string[] = [];
  const clients = new Clients(world);
  const touch = (aggregate: string): void => {
    void clients.ask({
      topic: ledger.topic,
      aggregate,
      type: 'touch',
      input: {},
      key: null,
      repeatable: false,
    });
  };
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    for (const intent of drawIntents(random)) {
      world.scheduler.after(random.between(0, TROUBLED_MS), () => void clients.askUntilKnown(intent));
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    if (endsWithPowerCut) cutPower(world);
    isBusy = false;
    await troublemaker.heal();
    // A client's key that leads to a follow-up is repeated only as long as that is remembered.
    await world.scheduler.run(STARTS_AT + REPEATED_AFTER_MS);
    for (const intent of clients.unknown()) void clients.ask(intent);
    await world.scheduler.run(STARTS_AT + SWEPT_AFTER_MS - SECOND_MS);
    world.network.conditions = conditions.network;
    troublemaker.plan(conditions.troubles);
    for (let count = 0; count < TOUCHES; count += 1) {
      const account = random.pick(ACCOUNTS);
      world.scheduler.after(random.between(0, TROUBLED_MS), () => touch(account));
    }
    await world.scheduler.run(STARTS_AT + SWEPT_AFTER_MS + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle(QUIET_MS_MAX);
    for (const account of ACCOUNTS) touch(account);
    await world.settle(QUIET_MS_MAX);
    violations.push(...checkLedger(world, clients), ...checkForgotten(world));
    const refolded = refold(foldedRecords(world), [ledger]);
    violations.push(...checkRuntime(world, refolded, REPORTS));
  } catch (error) {
    violations.push(String(error));
  } finally {
    world.close();
  }
  return { violations };
}

/** No follow-up is remembered for ever. */
function checkForgotten(world: World): string[] {
  return world.store
    .aggregates()
    .flatMap(({ ref, snapshot }) =>
      snapshot.rows
        .filter(({ kind, id }) => kind === RUNTIME_KINDS.outcome && senderOf(keyIn(id)) !== null)
        .map(({ id }) => `account ${ref.id}: remembers ${id} for ever`),
    );
}

/** The key in the id of an outcome's row. */
function keyIn(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
