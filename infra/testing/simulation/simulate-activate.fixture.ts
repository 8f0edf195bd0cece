import { createActivateFold } from '../../../processors/activate/fold.ts';
import { SMALL_LIMITS } from '../../../processors/activate/oracle.fixture.ts';
import {
  expectedReading,
  readingOf,
  type StoredChecklists,
} from '../../../processors/activate/oracle-reading.fixture.ts';
import { createAuditFold } from '../../../processors/audit/fold.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import { activateRootSchema, EMPTY_ACTIVATE_ROOT } from '../../../schemas/activate/documents.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import { CHECKLISTS, drawActivateIntents, USERS } from './activate-intents.fixture.ts';
import { ActivateReference } from './activate-reference.fixture.ts';
import { checkAnswered, checkRuntime } from './checks.fixture.ts';
import type { Attempt, Clients } from './client.fixture.ts';
import { TROUBLED_MS } from './conditions.fixture.ts';
import { commandsOf, refold } from './refold.fixture.ts';
import { type Run, runUnderFaults } from './run-under-faults.fixture.ts';
import type { World } from './world.fixture.ts';

const LIMITS = mergeLimits(SMALL_LIMITS);
const UNIVERSE = { checklists: CHECKLISTS, users: USERS };

const FOLDS = [createActivateFold(LIMITS), createAuditFold(LIMITS)];

/** One run of checklists under faults, which follows from its seed alone. */
export function simulateActivate(seed: number): Promise<Run> {
  return runUnderFaults(seed, {
    programs: { subscriptions: (engines) => FOLDS.map((fold) => foldSubscription(fold, engines)) },
    brokenBy: brokenGuarantees,
    begin({ random, world, clients }) {
      for (const [index, intent] of drawActivateIntents(random).entries()) {
        // The first two make a checklist; whatever comes after them comes in any order.
        const delayMs = index < 2 ? index : random.between(100, TROUBLED_MS);
        world.scheduler.after(delayMs, () => void clients.askUntilKnown(intent));
      }
    },
    check: async ({ world, clients }) => [
      ...checkActivate(world, clients),
      ...checkRuntime(world, refold(commandsOf(world), FOLDS)),
    ],
  });
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
    ...checkAnswered(world, clients),
    ...strange.map(
      ({ intent, observed }) => `${intent.type} ${intent.key}: observed ${canonicalJson(observed)}`,
    ),
    ...(seen === expected ? [] : [`stored ${seen} instead of ${expected}`]),
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
