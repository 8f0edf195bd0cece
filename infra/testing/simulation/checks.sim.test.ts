import { describe, expect, it } from 'vitest';
import type { AnyHandler, AnyResult, AnyScope } from '../../../processors/runtime/fold/fold.ts';
import { isOverdue, lostRun } from '../../../schemas/checks/derived-states.ts';
import { checksRootSchema, runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { foldingWith } from './mutating.fixture.ts';
import type { ShowRun } from './run-readers.fixture.ts';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { type ChecksMutation, simulateChecks } from './simulate-checks.fixture.ts';

const { seeds, timeoutMs } = seedsFor(100);

describe(`browser checks under faults, from SIM_SEED=${seeds[0]} on`, () => {
  it(`keep and charge each run once, with the findings of its driver, in ${seeds.length} runs`, {
    timeout: timeoutMs,
  }, async () => {
    expect(reportOf(await findingsOf(seeds, (seed) => simulateChecks(seed)))).toBe('');
  });
});

/** Runs within which whatever breaks a rule has to be seen. */
const RUNS_MAX = 50;

describe('the simulation of browser checks sees it when', () => {
  it.each<[string, ChecksMutation]>([
    ['any driver ends a run', { change: (fold) => foldingWith(fold, gullible) }],
    ['a run that has ended stays open', { change: (fold) => foldingWith(fold, sticky) }],
    ['a run is not charged', { change: (fold) => foldingWith(fold, generous) }],
    ['a run that no runner took stays charged', { change: (fold) => foldingWith(fold, stingy) }],
    ['a result changes an end', { change: (fold) => foldingWith(fold, forgetful) }],
    ['a reader ends a run by its own clock', { show: byOwnClock }],
  ])('%s', async (_what, mutation) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateChecks(seed, mutation, { appendsLate: 0.2 });
      if (violations.length > 0) return;
    }
    expect.fail('a rule was broken and nothing was seen');
  });
});

/** Takes findings for those of the driver that has the run. */
function gullible(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  if (scope.envelope.type !== 'finish-run') return handled(scope);
  const input = scope.input as { readonly runId: string };
  const driver = runDocumentSchema.safeParse(scope.row('run', input.runId)).data?.driver;
  return handled(driver == null ? scope : { ...scope, input: { ...input, driver } });
}

/** Leaves a run among the open ones when it ends. */
function sticky(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  if (scope.envelope.type !== 'finish-run' || result.root === undefined) return result;
  const { activeRuns } = checksRootSchema.parse(scope.root);
  return { ...result, root: { ...checksRootSchema.parse(result.root), activeRuns } };
}

/** Does not count a run that it accepts. */
function generous(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  if (scope.envelope.type !== 'request-run' || result.root === undefined) return result;
  const { runsMade } = checksRootSchema.parse(scope.root);
  return { ...result, root: { ...checksRootSchema.parse(result.root), runsMade } };
}

/** Keeps the charge of a run that no runner took. */
function stingy(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  if (scope.envelope.type === 'request-run' || result.root === undefined) return result;
  const { runsMade } = checksRootSchema.parse(scope.root);
  return { ...result, root: { ...checksRootSchema.parse(result.root), runsMade } };
}

/** Takes a run that has ended for one that is still running. */
function forgetful(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  if (scope.envelope.type !== 'finish-run') return handled(scope);
  const row: AnyScope['row'] = (kind, id) => {
    const stored = scope.row(kind, id);
    return kind === 'run' && stored !== null ? { ...stored, status: 'running', driver: null } : stored;
  };
  return handled({ ...scope, row });
}

/** Shows the end of a run as soon as the deadline has passed by the reader's clock. */
const byOwnClock: ShowRun = (run, now) => (isOverdue(run, now) ? lostRun(run, now) : run);
