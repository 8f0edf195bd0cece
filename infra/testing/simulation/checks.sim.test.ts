import { describe, expect, it } from 'vitest';
import type { AnyHandler, AnyResult, AnyScope } from '../../../processors/runtime/fold.ts';
import { checksRootSchema, runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { foldingWith } from './mutating.fixture.ts';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { simulateChecks } from './simulate-checks.fixture.ts';
import type { ChangeFold } from './simulate-feedback.fixture.ts';

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
  it.each<[string, ChangeFold]>([
    ['any driver ends a run', (fold) => foldingWith(fold, gullible)],
    ['a run that has ended stays open', (fold) => foldingWith(fold, sticky)],
    ['a run is not charged', (fold) => foldingWith(fold, generous)],
  ])('%s', { timeout: 120_000 }, async (_what, change) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateChecks(seed, change, { appendsLate: 0.2 });
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
