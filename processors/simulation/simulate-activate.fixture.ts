import { activateRootSchema, EMPTY_ACTIVATE_ROOT } from '../../schemas/activate/documents.ts';
import { runtimeRootSchema } from '../../schemas/base/aggregate-root.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { canonicalJson } from '../../schemas/base/json.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import type { LogRecord, Subscription } from '../../topics/ports/log.ts';
import { createActivateFold } from '../activate/fold.ts';
import { SMALL_LIMITS } from '../activate/oracle.fixture.ts';
import { expectedReading, readingOf, type StoredChecklists } from '../activate/oracle-reading.fixture.ts';
import { createAuditFold } from '../audit/fold.ts';
import { foldSubscription } from '../runtime/command-handler.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import { ActivateReference } from './activate-reference.fixture.ts';
import { CHECKLISTS, drawActivateWishes, USERS } from './activate-wishes.fixture.ts';
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
  const clients = new Clients(world, (attempt) => violations.push(...brokenPromises(world, attempt)));
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    for (const [index, wish] of drawActivateWishes(random).entries()) {
      // The first two make a checklist; whatever comes after them comes in any order.
      const delayMs = index < 2 ? index : random.between(100, TROUBLED_MS);
      world.scheduler.after(delayMs, () => void clients.pursue(wish));
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    // One after the other: nothing is known of a workspace before it has said what it is.
    for (const wish of clients.unknown()) {
      void clients.ask(wish);
      await world.settle();
    }
    violations.push(...checkActivate(world, clients));
    violations.push(...checkRuntime(world, await refold(recordsOf(world), subscriptions)));
  } catch (error) {
    violations.push(String(error));
  } finally {
    world.close();
  }
  return { violations, trace: digestOf(clients.attempts.map(({ heard }) => heard)) };
}

/** A client can use a session from the moment of its answer, unless it has been ended since. */
function brokenPromises(world: World, { wish, heard }: Attempt): readonly string[] {
  if (wish.type !== 'issue-session' || heard?.kind !== 'done') return [];
  const digest = String(wish.input['digest']);
  const entry = world.lookups.entry({ kind: 'progress-token', digest });
  return entry === null ? ['heard of a token that leads nowhere'] : [];
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
    ...strange.map(({ wish, heard }) => `${wish.type} ${wish.key}: heard ${canonicalJson(heard)}`),
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
