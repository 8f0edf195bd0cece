import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { AnyFold, AnyHandler } from '../../../processors/runtime/fold.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { checkRuntime } from './checks.fixture.ts';
import { type Attempt, Clients } from './client.fixture.ts';
import { drawConditions, type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import { brokenGuarantees, checkLedger } from './ledger-checks.fixture.ts';
import { drawIntents } from './ledger-intents.fixture.ts';
import { LedgerReference } from './ledger-reference.fixture.ts';
import { forwarding, type Mutation, rewritten, withHandler } from './mutating.fixture.ts';
import { Random } from './random.fixture.ts';
import { refold } from './refold.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { type Programs, STARTS_AT, World } from './world.fixture.ts';

/** The result of one run. */
export interface Run {
  readonly violations: readonly string[];
  /** Names everything that was appended and observed. */
  readonly trace: string;
}

const PROGRAMS: Programs = {
  subscriptions: (engines) => [foldSubscription(ledger, engines)],
  damagedKind: 'pass',
};

/**
 * One run of the ledger, which follows from its seed alone: trouble, then peace, then each client that knows nothing asks
 * once more.
 */
export async function simulateLedger(
  seed: number,
  mutation: Mutation = {},
  emphasis?: Emphasis,
): Promise<Run> {
  const random = new Random(seed);
  const conditions = drawConditions(random, emphasis);
  const world = new World(random, { ...PROGRAMS, ...mutation }, conditions);
  const violations: string[] = [];
  const clients = new Clients(world, (attempt: Attempt) => {
    violations.push(...brokenGuarantees(world, attempt));
  });
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    for (const intent of drawIntents(random)) {
      world.scheduler.after(random.between(0, TROUBLED_MS), () => void clients.askUntilKnown(intent));
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    for (const intent of clients.unknown()) void clients.ask(intent);
    await world.settle();
    world.store.repairRows();
    violations.push(...checkLedger(world, clients));
    const refolded = await refold(foldedRecords(world), refusingUnreadable(world));
    violations.push(...checkRuntime(world, refolded));
  } catch (error) {
    violations.push(String(error));
  } finally {
    world.close();
  }
  const records = foldedRecords(world);
  return {
    violations,
    trace: digestOf({ records, observed: clients.attempts.map(({ observed }) => observed) }),
  };
}

/** Folds the log again and refuses the records that wanted a row which could not be read, as a fold that throws. */
function refusingUnreadable(world: World): Programs['subscriptions'] {
  const { decidedRecords } = new LedgerReference(foldedRecords(world), world.store.damages);
  const refused = new Set(
    decidedRecords.filter(({ unreadable }) => unreadable).map(({ record }) => placeOf(record)),
  );
  const pass = 'unreadable';
  const refusing: AnyHandler['reads'] = (command) => {
    if ((command.input as { readonly pass?: string }).pass === pass)
      throw new Error('reading a damaged pass');
    return ledger.handlers[command.type]?.reads?.(command, { root: null, peek: () => undefined }) ?? [];
  };
  const handlers = Object.entries(ledger.handlers).map(([type, handler]) => [
    type,
    { ...handler, reads: refusing },
  ]);
  const fold: AnyFold = { ...ledger, handlers: Object.fromEntries(handlers) };
  return (engines) => [
    withHandler(foldSubscription(fold, engines), (handler) => ({
      ...forwarding(handler),
      handle: (records) =>
        handler.handle(
          records.map((record) =>
            refused.has(placeOf(record)) ? rewritten(record, { input: { pass } }) : record,
          ),
        ),
    })),
  ];
}

function placeOf({ partition, generation, offset }: LogRecord): string {
  return `${partition}/${generation}:${offset}`;
}

/** The records that the ledger has folded, or will. */
export function foldedRecords(world: World): readonly LogRecord[] {
  return world.log.records().filter(({ topic }) => topic === ledger.topic);
}
