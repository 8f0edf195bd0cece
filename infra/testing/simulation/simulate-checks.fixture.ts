import { createAuditFold } from '../../../processors/audit/fold.ts';
import { createChecksFold } from '../../../processors/checks/fold.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { isOpen } from '../../../schemas/checks/derived-states.ts';
import { checksRootSchema, runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import { checkAnswered, checkRuntime } from './checks.fixture.ts';
import { drawChecksIntents, driverIn, installationId, RUN_IDS } from './checks-intents.fixture.ts';
import type { Clients, Intent } from './client.fixture.ts';
import { type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { commandsOf, refold } from './refold.fixture.ts';
import { RunReaders, type ShowRun } from './run-readers.fixture.ts';
import { type Play, type Run, runUnderFaults } from './run-under-faults.fixture.ts';
import type { ChangeFold } from './simulate-feedback.fixture.ts';
import type { World } from './world.fixture.ts';

/** Fewer runs than are asked for, also at the same time. All of them are kept. Many are not taken in time. */
const LIMITS = mergeLimits({
  plans: { preview: { checkRuns: 6, checkRunsAtOnce: 2 } },
  checks: { queueMs: 3 * SECOND_MS },
});

/** Time for the origin to be proved, if nothing disturbs it. */
const FIRST_MS = 100;

/** Pauses between the reads of a run, while there is trouble and once everything has healed. */
const TROUBLED_PAUSE_MS_MAX = 500;
const HEALED_PAUSE_MS_MAX = 5 * MINUTE_MS;
/** The time for which runs are read once everything has healed: the log's clock may have been an hour ahead at their beginning. */
const HEALED_MS = 1.2 * HOUR_MS;

/** A rule of the fold or of the readers that is broken. */
export interface ChecksMutation {
  readonly change?: ChangeFold;
  readonly show?: ShowRun;
}

/**
 * One run of browser checks under faults, with two runners that want the same runs, and clients that poll each of them. It
 * follows from its seed alone.
 */
export function simulateChecks(
  seed: number,
  { change = (fold) => fold, show }: ChecksMutation = {},
  emphasis?: Emphasis,
): Promise<Run> {
  const folds = [change(createChecksFold(LIMITS)), createAuditFold(LIMITS)];
  let readers: RunReaders;
  const play: Play = {
    programs: { subscriptions: (engines) => folds.map((fold) => foldSubscription(fold, engines)) },
    begin({ random, world, clients }) {
      readers = new RunReaders(world, installationId, show);
      const { first, then } = drawChecksIntents(world);
      // The origin is proved before anybody asks for a run; whatever comes after that comes in any order.
      world.scheduler.after(0, () => void inOrder(clients, first));
      for (const intent of then) {
        const delayMs = random.between(FIRST_MS, TROUBLED_MS);
        world.scheduler.after(delayMs, () => void clients.askUntilKnown(intent));
      }
      for (const runId of RUN_IDS) void readers.poll(runId, TROUBLED_MS, TROUBLED_PAUSE_MS_MAX);
    },
    async check({ world, clients }) {
      await pollToTheEnd(world, readers);
      return [
        ...checkRuns(world, clients),
        ...readers.violations(),
        ...checkRuntime(world, refold(commandsOf(world), folds)),
      ];
    },
  };
  return runUnderFaults(seed, play, emphasis);
}

/** Reads every run until it has to have ended. */
async function pollToTheEnd(world: World, readers: RunReaders): Promise<void> {
  const polls = RUN_IDS.map((runId) => readers.poll(runId, HEALED_MS, HEALED_PAUSE_MS_MAX));
  await world.settle();
  await Promise.all(polls);
}

/**
 * Clients know in the end; every accepted run is there once and has ended, is charged once if a runner
 * took it and the service did not fail it, and has the findings of the driver that took it.
 */
function checkRuns(world: World, clients: Clients): readonly string[] {
  const found = world.store.aggregates().find(({ ref }) => ref.table === 'checks');
  const runs = (found?.snapshot.rows ?? [])
    .filter(({ kind }) => kind === 'run')
    .map(({ id, document }) => ({ runId: id, ...runDocumentSchema.parse(document) }));
  const document = found?.snapshot.root?.document;
  const state = document === undefined ? null : runtimeRootSchema.parse(document).state;
  const { runsMade, activeRuns, origins, originsMade } = checksRootSchema.parse(state);
  const stored = (found?.snapshot.rows ?? []).filter(({ kind }) => kind === 'origin').map(({ id }) => id);
  const accepted = clients.attempts.flatMap(({ intent, observed }) =>
    intent.type === 'request-run' && observed?.kind === 'done' ? [String(intent.input['runId'])] : [],
  );
  const open = runs.filter(isOpen);
  const charged = runs.filter(
    (run) => isOpen(run) || (run.driver !== null && run.findings?.failure?.reason !== 'internal'),
  );
  const violations = [
    ...checkAnswered(world, clients),
    ...accepted
      .filter((runId) => runs.every((run) => run.runId !== runId))
      .map((runId) => `the accepted run ${runId} is lost`),
    ...runs.flatMap(({ runId, driver, findings }) => {
      const from = findings === null ? null : driverIn(findings);
      return from === null || from === driver
        ? []
        : [`the run ${runId} of ${driver} has findings of ${from}`];
    }),
  ];
  if (runsMade !== charged.length)
    violations.push(`${runsMade} runs are charged, instead of ${charged.length}`);
  if (originsMade !== 1 || stored.join() !== origins.map(({ originId }) => originId).join())
    violations.push(`${originsMade} origins are charged, and ${stored.join()} are stored`);
  if (open.length > 0) violations.push(`the runs ${idsOf(open)} never end`);
  if (activeRuns.length > 0) violations.push(`${idsOf(activeRuns)} count as active`);
  return violations;
}

async function inOrder(clients: Clients, intents: readonly Intent[]): Promise<void> {
  for (const intent of intents) await clients.askUntilKnown(intent);
}

function idsOf(runs: readonly { readonly runId: string }[]): string {
  return runs
    .map(({ runId }) => runId)
    .sort()
    .join();
}
