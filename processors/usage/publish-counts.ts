import type { InputOf } from '../../schemas/base/command.ts';
import type { PublishedCount, usageCommands } from '../../schemas/usage/commands.ts';
import {
  isDaySettled,
  type KeyUsageRoot,
  periodsOf,
  type UsageRoot,
  usedOf,
} from '../../schemas/usage/documents.ts';
import { utcDay } from '../../schemas/usage/periods.ts';
import type { CommandEffect, CommandHandler } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import { Ledger } from './ledger.ts';
import { prune, rowsToPrune } from './prune.ts';
import type { UsageFold } from './usage-fold.ts';

/**
 * Stores the limiter's counts: for each minute and each incarnation of its counter, the largest counts ever published. So
 * nothing is counted twice, in any order and after any number of repeats. Counts of a settled day are too late and are
 * dropped.
 */
export const publishCounts: CommandHandler<UsageFold, 'publish'> = {
  reads: ({ input: { counts } }, { root }) => [
    ...counts.flatMap(({ minute }) => {
      const { month, day, hour } = periodsOf(minute);
      return [
        { kind: 'month', id: month },
        { kind: 'day', id: day },
        { kind: 'hour', id: hour },
      ];
    }),
    ...rowsToPrune(root),
  ],
  fold(scope) {
    const { input, context } = scope;
    const { aggregate, now } = context;
    const ledger = new Ledger(scope);
    const news = input.counts.filter(
      (count) => !isDaySettled(utcDay(count.minute), now) && ledger.raise(count),
    );
    const { root, remove } = prune(scope, withNews(keyRoot(scope.root, input), news, ledger), now);
    if (news.length === 0 && remove.length === 0) return DONE_UNREMEMBERED;
    return {
      ...DONE_UNREMEMBERED,
      root,
      put: ledger.changes(),
      remove,
      effects: input.mode === 'live' ? meteredMonths(aggregate, input.organizationId, ledger) : [],
    };
  },
};

function keyRoot(
  root: UsageRoot | null,
  { organizationId, mode }: InputOf<typeof usageCommands, 'publish'>,
): KeyUsageRoot {
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

/** The root with the latest use, and with the days and months that the ledger has changed. */
function withNews(root: KeyUsageRoot, news: readonly PublishedCount[], ledger: Ledger): KeyUsageRoot {
  const { days, months } = ledger.periods();
  return {
    ...root,
    lastUsedAt: Math.max(root.lastUsedAt, ...news.map(({ minute }) => minute)),
    daysWithMinutes: union(root.daysWithMinutes, days),
    monthsWithHours: union(root.monthsWithHours, months),
  };
}

/** The commands that report the changed months of a key to its organization. */
function meteredMonths(keyId: string, organizationId: string, ledger: Ledger): CommandEffect[] {
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
