import { describe, expect, it } from 'vitest';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { Emphasis } from './conditions.fixture.ts';
import {
  blind,
  blindToPending,
  committingFirst,
  handingOverTooMuch,
  otherPartitions,
  trustingTheLastFetch,
  withMachineTime,
  withoutDeadLetters,
  withoutDigests,
  withoutNotAfter,
  withoutReserving,
  withoutVersions,
  withoutWaitingForAppends,
  withoutWaitingForIndex,
} from './mutated-engines.fixture.ts';
import {
  effectsFirst,
  inFirstGeneration,
  inTwo,
  loadNearest,
  outagesAsPoison,
  overWhateverIsThere,
  rememberingRefusals,
  repeatedBlindly,
  staleAsApplied,
  trustVersions,
  unknownAsApplied,
  unreadableAsAbsent,
  withoutPending,
  withoutPosition,
  withoutRefusals,
  withRoot,
} from './mutated-store.fixture.ts';
import { committing, folding, handling, loading, type Mutation, withoutRows } from './mutating.fixture.ts';
import { simulateLedger } from './simulate-ledger.fixture.ts';

/** One rule of ARCHITECTURE.md, broken in one way. */
interface Broken {
  readonly rule: number;
  readonly what: string;
  readonly mutation: Mutation;
  /** The fault that a seed needs often enough. */
  readonly under?: Emphasis;
}

/** Processes that continue after others have taken over from them. */
const ZOMBIES: Emphasis = { trouble: 'processor-stands-still' };
const UNHEARD_ZOMBIES: Emphasis = { ...ZOMBIES, commitsLost: 0.3 };

/** Partitions that are given to other processes, over and over. */
const MOVES: Emphasis = { trouble: 'partitions-move' };

/** Topics that grow, and then lose what is behind them. */
const GROWTH: Emphasis = { trouble: ['topic-grows', 'retention-ends'] };

/** Records that are appended after those who sent them have given up and sent others. */
const LATE: Emphasis = { appendsLate: 0.2 };

/** Clocks that are set forward or back by up to an hour, and right again. */
const CLOCKS: Emphasis = { trouble: 'clocks-step' };

/** Engines that are down while partitions move to other processes. */
const OUTAGES: Emphasis = {
  trouble: ['engine-goes-down', 'processor-stands-still', 'topic-grows'],
  commitsLost: 0.3,
};

/** Rows that a newer program has written, or that are damaged. */
const DAMAGE: Emphasis = { trouble: 'row-gets-unreadable' };

/** Every way to break a rule that a run can show. */
const BROKEN: readonly Broken[] = [
  { rule: 1, what: 'time goes back within an aggregate', mutation: loading(withRoot({ now: 0 })) },
  { rule: 1, what: 'a fold takes the time of its machine', mutation: folding(withMachineTime) },
  {
    rule: 2,
    what: 'a commit does not look at the version',
    mutation: committing(overWhateverIsThere),
    under: ZOMBIES,
  },
  { rule: 2, what: 'a batch takes two commits', mutation: committing(inTwo) },
  { rule: 2, what: 'what is stale counts as applied', mutation: committing(staleAsApplied), under: ZOMBIES },
  { rule: 3, what: 'the applied position is ignored', mutation: loading(withoutPosition) },
  { rule: 4, what: 'an unknown commit counts as applied', mutation: committing(unknownAsApplied) },
  {
    rule: 4,
    what: 'an unknown commit is repeated over another version',
    mutation: committing(repeatedBlindly),
  },
  {
    rule: 4,
    what: 'an unknown commit is looked up without its batch id',
    mutation: { processorEngines: trustVersions },
    under: UNHEARD_ZOMBIES,
  },
  { rule: 4, what: 'a load is not serial', mutation: { processorEngines: loadNearest } },
  { rule: 5, what: 'duplicates are not looked up', mutation: loading(withoutRows(RUNTIME_KINDS.outcome)) },
  { rule: 5, what: 'refusals are remembered', mutation: { subscriptions: rememberingRefusals } },
  {
    rule: 7,
    what: 'a follow-up that was refused is decided again',
    mutation: committing(withoutRefusals),
    under: LATE,
  },
  { rule: 5, what: 'a key answers for any input', mutation: { gatewayEngines: withoutDigests } },
  { rule: 6, what: 'effects are not stored with their commit', mutation: committing(withoutPending) },
  {
    rule: 6,
    what: 'pending effects are not carried out again',
    mutation: loading(withoutRows(RUNTIME_KINDS.pending)),
  },
  {
    rule: 6,
    what: 'effects are carried out before their commit',
    mutation: { processorEngines: effectsFirst },
  },
  {
    rule: 6,
    what: 'outcomes do not wait for follow-ups',
    mutation: { processorEngines: withoutWaitingForAppends },
  },
  {
    rule: 6,
    what: 'outcomes do not wait for index entries',
    mutation: { processorEngines: withoutWaitingForIndex },
  },
  { rule: 6, what: 'look-ups have no versions', mutation: { processorEngines: withoutVersions } },
  {
    rule: 6,
    what: 'a waiter does not look at pending effects',
    mutation: { gatewayEngines: blindToPending },
  },
  {
    rule: 6,
    what: 'an offset is committed before its records are handled',
    mutation: { subscriptions: committingFirst },
  },
  {
    rule: 4,
    what: 'what was not begun when the partition was wanted counts as handled',
    mutation: { subscriptions: handingOverTooMuch },
    under: MOVES,
  },
  {
    rule: 13,
    what: 'the end of the last fetch is taken for the end of the partition',
    mutation: { subscriptions: trustingTheLastFetch },
    under: ZOMBIES,
  },
  {
    rule: 14,
    what: 'a position forgets its generation',
    mutation: loading(inFirstGeneration),
    under: GROWTH,
  },
  {
    rule: 14,
    what: 'a generation of which nothing is left is never done',
    mutation: { logFlaws: { emptyNeverCloses: true } },
    under: GROWTH,
  },
  { rule: 7, what: 'nothing is reserved', mutation: folding(withoutReserving) },
  { rule: 12, what: 'a waiter never looks at the store', mutation: { gatewayEngines: blind } },
  { rule: 12, what: 'notAfter is ignored', mutation: handling(withoutNotAfter) },
  {
    rule: 12,
    what: 'a stamp of the log never goes back, however the clock was set',
    mutation: { logFlaws: { stampsNeverGoBack: true } },
    under: CLOCKS,
  },
  {
    rule: 12,
    what: 'a partition stays halted after the clock has caught up',
    mutation: { logFlaws: { haltsForGood: true } },
    under: CLOCKS,
  },
  {
    rule: 13,
    what: 'a refused offset commit halts its partition',
    mutation: { logFlaws: { refusedCommitHalts: true } },
  },
  { rule: 13, what: 'what cannot be folded is dropped', mutation: { processorEngines: withoutDeadLetters } },
  {
    rule: 13,
    what: 'an engine that is down is taken for poison',
    mutation: { processorEngines: outagesAsPoison },
    under: OUTAGES,
  },
  {
    rule: 13,
    what: 'a row that cannot be read counts as absent',
    mutation: { processorEngines: unreadableAsAbsent },
    under: DAMAGE,
  },
  {
    rule: 14,
    what: 'writers disagree about the partition of a key',
    mutation: { processorEngines: otherPartitions },
  },
];

/** Runs within which whatever breaks a rule has to be seen. */
const RUNS_MAX = 1_000;

describe('the simulation sees it when', () => {
  it.each(BROKEN)('$what (rule $rule)', async ({ mutation, under }) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateLedger(seed, mutation, under);
      if (violations.length > 0) return;
    }
    expect.fail('a rule was broken and nothing was seen');
  });
});
