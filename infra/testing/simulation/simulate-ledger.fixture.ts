import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { AnyFold, AnyHandler } from '../../../processors/runtime/fold/fold.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { checkRuntime } from './checks.fixture.ts';
import { type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import { brokenGuarantees, checkLedger } from './ledger-checks.fixture.ts';
import { drawIntents } from './ledger-intents.fixture.ts';
import { LedgerReference } from './ledger-reference.fixture.ts';
import { type Mutation, rewritten } from './mutating.fixture.ts';
import { type Refolded, refold } from './refold.fixture.ts';
import { type Play, type Run, runUnderFaults } from './run-under-faults.fixture.ts';
import type { Programs, World } from './world.fixture.ts';

const PROGRAMS: Programs = {
  subscriptions: (engines) => [foldSubscription(ledger, engines)],
  damagedKind: 'pass',
};

/** One run of the ledger under faults, which follows from its seed alone. */
export function simulateLedger(seed: number, mutation: Mutation = {}, emphasis?: Emphasis): Promise<Run> {
  const play: Play = {
    programs: { ...PROGRAMS, ...mutation },
    brokenBy: brokenGuarantees,
    begin({ random, world, clients }) {
      for (const intent of drawIntents(random)) {
        world.scheduler.after(random.between(0, TROUBLED_MS), () => void clients.askUntilKnown(intent));
      }
    },
    async askAgain({ world, clients }) {
      for (const intent of clients.unknown()) void clients.ask(intent);
      await world.settle();
      world.store.repairRows();
    },
    async check({ world, clients }) {
      return [...checkLedger(world, clients), ...checkRuntime(world, refoldRefusing(world))];
    },
  };
  return runUnderFaults(seed, play, emphasis);
}

/** Folds the log again and refuses the records that wanted a row which could not be read, as a fold that throws. */
function refoldRefusing(world: World): Refolded {
  const records = foldedRecords(world);
  const { decidedRecords } = new LedgerReference(records, world.store.damages);
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
  return refold(
    records.map((record) => (refused.has(placeOf(record)) ? rewritten(record, { input: { pass } }) : record)),
    [fold],
  );
}

function placeOf({ partition, generation, offset }: LogRecord): string {
  return `${partition}/${generation}:${offset}`;
}

/** The records that the ledger has folded, or will. */
export function foldedRecords(world: World): readonly LogRecord[] {
  return world.log.records().filter(({ topic }) => topic === ledger.topic);
}
