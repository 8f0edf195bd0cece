import { describe, expect, it } from 'vitest';
import type { AnyHandler, AnyResult, AnyScope } from '../../../processors/runtime/fold/fold.ts';
import { submissionDocumentSchema, submissionRowId } from '../../../schemas/feedback/documents.ts';
import { foldingWith } from './mutating.fixture.ts';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { type ChangeFold, simulateFeedback } from './simulate-feedback.fixture.ts';

const { seeds, timeoutMs } = seedsFor(100);

describe(`a feedback widget under faults, from SIM_SEED=${seeds[0]} on`, () => {
  it(`stores each submission once with its content, in ${seeds.length} runs`, {
    timeout: timeoutMs,
  }, async () => {
    expect(reportOf(await findingsOf(seeds, (seed) => simulateFeedback(seed)))).toBe('');
  });
});

/** Runs within which whatever breaks a rule has to be seen. */
const RUNS_MAX = 50;

describe('the simulation of feedback sees it when', () => {
  it.each<[string, ChangeFold]>([
    ['a repeat takes away the content of the submission', (fold) => foldingWith(fold, rapacious)],
    ['the content of a repeat stays', (fold) => foldingWith(fold, negligent)],
    ['a submission that moves stays where it was', (fold) => foldingWith(fold, sticky)],
  ])('%s', async (_what, change) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateFeedback(seed, change, { appendsLate: 0.2 });
      if (violations.length > 0) return;
    }
    expect.fail('a rule was broken and nothing was seen');
  });
});

/** Removes the content of the stored submission instead of the one that came with a repeat. */
function rapacious(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  if (scope.envelope.type !== 'receive-submission') return result;
  const { widgetId, submissionId } = scope.input as { widgetId: string; submissionId: string };
  const before = scope.row('submission', submissionRowId(widgetId, submissionId));
  const name = submissionDocumentSchema.safeParse(before).data?.blob;
  return {
    ...result,
    effects: (result.effects ?? []).map((effect) =>
      effect.kind === 'remove-blob' && name !== undefined
        ? { ...effect, address: { ...effect.address, name } }
        : effect,
    ),
  };
}

/** Removes no content when a submission arrives. */
function negligent(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  return scope.envelope.type === 'receive-submission' ? { ...result, effects: [] } : result;
}

/** Leaves the old entry of the inbox where it is. */
function sticky(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  return scope.envelope.type === 'move-submission' ? { ...result, remove: [] } : result;
}
