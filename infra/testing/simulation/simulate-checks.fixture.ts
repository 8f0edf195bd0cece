import { createAuditFold } from '../../../processors/audit/fold.ts';
import { createChecksFold } from '../../../processors/checks/fold.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { checksRootSchema, runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import { checkRuntime } from './checks.fixture.ts';
import { drawChecksIntents, driverIn } from './checks-intents.fixture.ts';
import { Clients, type Intent } from './client.fixture.ts';
import { drawConditions, type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { Random } from './random.fixture.ts';
import { refold } from './refold.fixture.ts';
import type { ChangeFold } from './simulate-feedback.fixture.ts';
import type { Run } from './simulate-ledger.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { STARTS_AT, World } from './world.fixture.ts';

/** Fewer runs than are asked for, also at the same time. All of them are kept. */
const LIMITS = mergeLimits({ plans: { preview: { checkRuns: 6, checkRunsAtOnce: 2 } } });

/** Time for the origin to be proved, if nothing disturbs it. */
const FIRST_MS = 100;

/** One run of browser checks under faults, with two runners that want the same runs. It follows from its seed alone. */
export async function simulateChecks(
  seed: number,
  change: ChangeFold = (fold) => fold,
  emphasis?: Emphasis,
): Promise<Run> {
  const random = new Random(seed);
  const conditions = drawConditions(random, emphasis);
  const subscriptions = (engines: ProcessorDependencies): readonly Subscription[] =>
    [change(createChecksFold(LIMITS)), createAuditFold(LIMITS)].map((fold) =>
      foldSubscription(fold, engines),
    );
  const world = new World(random, { subscriptions }, conditions);
  const violations: string[] = [];
  const clients = new Clients(world);
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    const { first, then } = drawChecksIntents(world);
    // The origin is proved before anybody asks for a run; whatever comes after that comes in any order.
    world.scheduler.after(0, () => void inOrder(clients, first));
    for (const intent of then) {
      world.scheduler.after(random.between(FIRST_MS, TROUBLED_MS), () => void clients.askUntilKnown(intent));
    }
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    for (const intent of clients.unknown()) {
      void clients.ask(intent);
      await world.settle();
    }
    violations.push(...checkRuns(world, clients));
    const commands = world.log.records().filter(({ topic }) => topic === 'checks' || topic === 'audit');
    violations.push(...checkRuntime(world, await refold(commands, subscriptions)));
  } catch (error) {
    violations.push(error instanceof Error ? String(error.stack) : String(error));
  } finally {
    world.close();
  }
  return { violations, trace: digestOf(clients.attempts.map(({ observed }) => observed)) };
}

/** Clients know in the end; every accepted run is there once, is charged once, and has the findings of the driver that took it. */
function checkRuns(world: World, clients: Clients): readonly string[] {
  const found = world.store.aggregates().find(({ ref }) => ref.table === 'checks');
  const runs = (found?.snapshot.rows ?? [])
    .filter(({ kind }) => kind === 'run')
    .map(({ id, document }) => ({ runId: id, ...runDocumentSchema.parse(document) }));
  const document = found?.snapshot.root?.document;
  const state = document === undefined ? null : runtimeRootSchema.parse(document).state;
  const { runsMade, activeRuns } = checksRootSchema.parse(state);
  const accepted = clients.attempts.flatMap(({ intent, observed }) =>
    intent.type === 'request-run' && observed?.kind === 'done' ? [String(intent.input['runId'])] : [],
  );
  // A run past its deadline has ended, whether or not a command has taken it from the list. The clock may have been set back.
  const now = Math.max(...world.log.records().map(({ appendedAt }) => appendedAt));
  const open = runs.filter(({ endedAt, deadlineAt }) => endedAt === null && now < deadlineAt);
  const active = activeRuns.filter(({ deadlineAt }) => now < deadlineAt);
  const violations = [
    ...clients.unknown().map(({ type }) => `${type}: its answer never became known`),
    ...world.log
      .records()
      .filter(({ topic }) => topic === 'dead-letters')
      .map(({ value }) => `dead letter ${value}`),
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
  if (runsMade !== runs.length) violations.push(`${runsMade} runs are charged, and ${runs.length} are there`);
  if (idsOf(open) !== idsOf(active)) {
    violations.push(`${idsOf(active)} count as open instead of ${idsOf(open)}`);
  }
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
