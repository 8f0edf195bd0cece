import { createActivateFold } from '../../../processors/activate/fold.ts';
import { SMALL_LIMITS } from '../../../processors/activate/oracle.fixture.ts';
import {
  expectedReading,
  readingOf,
  type StoredChecklists,
} from '../../../processors/activate/oracle-reading.fixture.ts';
import { createAuditFold } from '../../../processors/audit/fold.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { activateRootSchema, EMPTY_ACTIVATE_ROOT } from '../../../schemas/activate/documents.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import type { LogRecord, Subscription } from '../../../topics/ports/log.ts';
import { CHECKLISTS, drawActivateIntents, USERS } from './activate-intents.fixture.ts';
import { ActivateReference } from './activate-reference.fixture.ts';
import { checkRuntime } from './checks.fixture.ts';
import { type Attempt, Clients } from './client.fixture.ts';
import { drawConditions, TROUBLED_MS } from './conditions.fixture.ts';
import { Random } from './random.fixture.ts';
import { refold } from './refold.fixture.ts';
import type { Run } from './simulate-ledger.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { STARTS_AT, World } from './world.fixture.ts';

const LIMITS = mergeLimits(SMALL_LIMITS);
const UNIVERSE = { checklists: CHECKLISTS, users: USERS };

function subscriptions(engines: ProcessorDependencies): readonly Subscription[] {
  const folds = [createActivateFold(LIMITS), createAuditFold(LIMITS)];
  return folds.map((fold) => foldSubscription(fold, engines));
}

/** One run of checklists under faults, which follows from its seed alone. */
export async function simulateActivate(seed: number): Promise<Run> {
  const random = new Random(seed);
  const conditions = drawConditions(random);
  const world = new World(random, { subscriptions }, conditions);
  const violations: string[] = [];
  const clients = new Clients(world, (attempt) => violations.push(...brokenGuarantees(world, attempt)));
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    for (const [index, intent] of drawActivateIntents(random).entries()) {
      // The first two make a checklist; whatever comes after them comes in any order.
      const delayMs = index < 2 ? index : random.between(100, TROUBLED_MS);
      world.scheduler.after(delayMs, () => void clients.askUntilKnown(intent));
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    // One after the other: nothing is known of a workspace before it has said what it is.
    for (const intent of clients.unknown()) {
      void clients.ask(intent);
      await world.settle();
    }
    violations.push(...checkActivate(world, clients));
    violations.push(...checkRuntime(world, await refold(recordsOf(world), subscriptions)));
  } catch (error) {
    violations.push(String(error));
  } finally {
    world.close();
  }
  return { violations, trace: digestOf(clients.attempts.map(({ observed }) => observed)) };
}

/** A client can use a session from the moment of its answer, unless it has been ended since. */
function brokenGuarantees(world: World, { intent, observed }: Attempt): readonly string[] {
  if (intent.type !== 'issue-session' || observed?.kind !== 'done') return [];
  const digest = String(intent.input['digest']);
  const entry = world.digestIndex.entry({ kind: 'progress-token', digest });
  return entry === null ? ['observed a token that leads nowhere'] : [];
}

/** Equal answers and equal state: what the oracle makes of the same records. */
function checkActivate(world: World, clients: Clients): readonly string[] {
  const records = world.log.records().filter(({ topic }) => topic === 'activate');
  const reference = new ActivateReference(records);
  const strange = clients.attempts.filter((attempt) => !reference.explains(attempt));
  const stored = storedChecklists(world, reference.oracle.now);
  const seen = canonicalJson(readingOf(stored, LIMITS, UNIVERSE));
  const expected = canonicalJson(expectedReading(reference.oracle, UNIVERSE));
  return [
    ...clients.unknown().map(({ type, key }) => `${type} ${key}: its answer never became known`),
    ...strange.map(
      ({ intent, observed }) => `${intent.type} ${intent.key}: observed ${canonicalJson(observed)}`,
    ),
    ...(seen === expected ? [] : [`stored ${seen} instead of ${expected}`]),
    ...world.log
      .records()
      .filter(({ topic }) => topic === 'dead-letters')
      .map(({ value }) => `dead letter ${value}`),
  ];
}

function storedChecklists(world: World, now: number): StoredChecklists {
  const found = world.store.aggregates().find(({ ref }) => ref.table === 'activate');
  const document = found?.snapshot.root?.document;
  const state = document === undefined ? null : runtimeRootSchema.parse(document).state;
  return {
    root: state === null ? EMPTY_ACTIVATE_ROOT : activateRootSchema.parse(state),
    now,
    rows: found?.snapshot.rows ?? [],
  };
}

function recordsOf(world: World): readonly LogRecord[] {
  return world.log.records().filter(({ topic }) => topic !== 'dead-letters');
}
