import type { PublishedCount } from '../../schemas/usage/commands.ts';
import { isDaySettled, type KeyUsageRoot, type UsageRoot, usedOf } from '../../schemas/usage/documents.ts';
import { utcDay } from '../../schemas/usage/periods.ts';
import type { CommandEffect, FoldContext } from '../runtime/fold.ts';
import { Ledger } from './ledger.ts';
import { prune } from './prune.ts';
import { NOTED, type UsageInput, type UsageResult, type UsageView } from './result.ts';

/**
 * Takes in what the limiter has counted: for each minute and incarnation of its counter the largest counts that were ever
 * published, so that nothing is counted twice, in whatever order and however often it arrives. What comes for a settled
 * day is too late and is dropped.
 */
export function publishCounts(
  view: UsageView,
  input: UsageInput<'publish'>,
  { aggregate, now }: FoldContext,
): UsageResult {
  const known = keyRoot(view.root, input);
  const ledger = new Ledger(view);
  const news = input.counts.filter(
    (count) => !isDaySettled(utcDay(count.minute), now) && ledger.raise(count),
  );
  const { root, remove } = prune(view, noted(known, news, ledger), now);
  if (news.length === 0 && remove.length === 0) return NOTED;
  return {
    ...NOTED,
    root,
    put: ledger.changes(),
    remove,
    effects: input.mode === 'live' ? metered(aggregate, input.organizationId, ledger) : [],
  };
}

function keyRoot(root: UsageRoot | null, { organizationId, mode }: UsageInput<'publish'>): KeyUsageRoot {
  if (root?.kind === 'key') return root;
  return {
    kind: 'key',
    organizationId,
    mode,
    lastUsedAt: 0,
    daysWithMinutes: [],
    monthsWithHours: [],
  };
}

function noted(root: KeyUsageRoot, news: readonly PublishedCount[], ledger: Ledger): KeyUsageRoot {
  const { days, months } = ledger.periods();
  return {
    ...root,
    lastUsedAt: Math.max(root.lastUsedAt, ...news.map(({ minute }) => minute)),
    daysWithMinutes: union(root.daysWithMinutes, days),
    monthsWithHours: union(root.monthsWithHours, months),
  };
}

/** Tells the organization what this key has used of the months that have changed. */
function metered(keyId: string, organizationId: string, ledger: Ledger): CommandEffect[] {
  return ledger.months().map(({ id, document }) => ({
    kind: 'command',
    topic: 'usage',
    key: organizationId,
    type: 'add-key',
    input: { keyId, month: id, used: usedOf(document) },
  }));
}

function union(held: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...held, ...more])].sort();
}
