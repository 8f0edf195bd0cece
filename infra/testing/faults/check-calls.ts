import { isDeepStrictEqual } from 'node:util';
import type { CallSending, CallTold, Forgetting, LimitedEntry, LimiterCall } from './calls.ts';
import type { Finding } from './check.ts';
import { type Known, type Maybe, POSITIONS_MAX, unexplained } from './order.ts';

type Decided = Extract<CallTold, { kind: 'decided' }>;

/**
 * Compares the answers of the limiter with each other. Empty: each story has an order of its calls in which every call
 * changes all its windows or none, by its costs, at one moment while it was under way.
 */
export function checkCalls(
  calls: readonly LimiterCall[],
  forgettings: readonly Forgetting[],
  positionsMax = POSITIONS_MAX,
): Finding[] {
  return [...Map.groupBy(calls, ({ story }) => story).entries()].flatMap(([story, own]) => {
    const findings = [...own.flatMap(checkAnswers), ...checkLimits(own), ...checkRepeats(own, forgettings)];
    const found = findings.length > 0 ? findings : checkOrder(own, forgettings, positionsMax);
    return found.map(({ kind, what }) => ({ kind, what: `${story}: ${what}`, operation: null }));
  });
}

type Found = Pick<Finding, 'kind' | 'what'>;

/** Reports answers that contradict themselves. */
function checkAnswers({ kind, entries, sendings }: LimiterCall): Found[] {
  return sendings.flatMap(({ told }): Found[] => {
    if (told.kind === 'refused') return [{ kind: 'unexpected', what: `a ${kind} was refused: ${told.said}` }];
    if (told.kind !== 'decided' || isConsistent(entries, told)) return [];
    const what = `a ${kind} of ${JSON.stringify(entries)} was told ${JSON.stringify(told)}`;
    return [{ kind: 'contradiction', what }];
  });
}

function isConsistent(entries: readonly LimitedEntry[], { allowed, entries: told }: Decided): boolean {
  const isEach = entries.every(({ limit, cost }, index) => {
    const answer = told[index];
    if (answer === undefined || answer.remaining < 0) return false;
    const least = Math.max(cost, 1);
    const before = answer.remaining + (allowed ? cost : 0);
    return before <= limit && answer.allowed === before >= least;
  });
  return isEach && told.length === entries.length && allowed === told.every((each) => each.allowed);
}

/** Reports windows that let more through than their limit, whatever the order was. */
function checkLimits(calls: readonly LimiterCall[]): Found[] {
  const admitted = new Map<string, { window: string; limit: number; units: number }>();
  for (const { entries, sendings } of calls) {
    for (const told of allowedOnce(sendings)) {
      for (const [index, { window, limit, cost }] of entries.entries()) {
        const name = `${window} ${told.entries[index]?.resetAt}`;
        const units = (admitted.get(name)?.units ?? 0) + cost;
        admitted.set(name, { window, limit, units });
      }
    }
  }
  return [...admitted.values()].flatMap(({ window, limit, units }): Found[] =>
    units > limit ? [{ kind: 'quota', what: `${window}: ${units} units allowed of ${limit}` }] : [],
  );
}

/** The answers that let a call through. One that a key replays counts once. */
function allowedOnce(sendings: readonly CallSending[]): Decided[] {
  const allowed = sendings.map(({ told }) => told).filter((told) => told.kind === 'decided' && told.allowed);
  return (allowed as Decided[]).filter(
    (told, index) => allowed.findIndex((other) => isDeepStrictEqual(other, told)) === index,
  );
}

/** Reports repeats of a key that were told something else although nothing was forgotten. */
function checkRepeats(calls: readonly LimiterCall[], forgettings: readonly Forgetting[]): Found[] {
  return calls.flatMap((call): Found[] => {
    if (!call.isKeyed) return [];
    const told = call.sendings.filter(({ told: { kind } }) => kind === 'decided');
    const [first] = told;
    const other = told.find(
      (each) =>
        first !== undefined &&
        !isDeepStrictEqual(each.told, first.told) &&
        !isForgotten(forgettings, first, each),
    );
    return other === undefined
      ? []
      : [
          {
            kind: 'contradiction',
            what: `a repeat with the same key was told ${JSON.stringify(other.told)}`,
          },
        ];
  });
}

function isForgotten(
  forgettings: readonly Forgetting[],
  { sentAt }: CallSending,
  { endedAt }: CallSending,
): boolean {
  return forgettings.some(({ from, to }) => from <= endedAt && to >= sentAt);
}

function checkOrder(
  calls: readonly LimiterCall[],
  forgettings: readonly Forgetting[],
  positionsMax: number,
): Found[] {
  const known: Known[] = [];
  const maybes: Maybe[] = [];
  for (const call of calls) {
    const { entries, kind } = call;
    const { answered, open } = call.isKeyed ? withOneKey(call.sendings, forgettings) : asSent(call.sendings);
    known.push(...answered.flatMap((sending) => knownOf(call, sending)));
    const maybe = kind === 'reset' ? 'reset' : 'count';
    const counts = maybe === 'reset' || entries.some(({ cost }) => cost > 0);
    if (counts) maybes.push(...open.map(({ sentAt }) => ({ kind: maybe, sentAt, entries }) as const));
  }
  const end = unexplained({ known, maybes, forgettings }, positionsMax);
  if (end === null) return [];
  const { after, next, gaveUp } = end;
  const why = gaveUp ? 'no order was found' : 'no order explains the answers';
  const what = `${why}: stuck after ${after} of ${known.length} at ${JSON.stringify(next)}`;
  return [{ kind: gaveUp ? 'undecided' : 'unordered', what }];
}

/** The sendings that were answered, and those that may have taken effect besides. */
interface Effects {
  readonly answered: readonly CallSending[];
  readonly open: readonly CallSending[];
}

function asSent(sendings: readonly CallSending[]): Effects {
  return {
    answered: sendings.filter(({ told: { kind } }) => kind === 'decided' || kind === 'reset'),
    open: sendings.filter(({ told: { kind } }) => kind === 'unknown'),
  };
}

/** Sendings with one key take effect once, at any time since the first one, unless the key was forgotten meanwhile. */
function withOneKey(sendings: readonly CallSending[], forgettings: readonly Forgetting[]): Effects {
  const [first] = sendings;
  if (first === undefined) return { answered: [], open: [] };
  // A forgotten key counts again, so that each sending without an answer may have taken effect.
  const mayCountAgain = (sending: CallSending) =>
    sending !== first && isForgotten(forgettings, first, sending);
  const told = sendings.filter(({ told: { kind } }) => kind !== 'unknown');
  const [answer, ...others] = told;
  const open = sendings.filter(
    (sending) => sending.told.kind === 'unknown' && (sending === first || mayCountAgain(sending)),
  );
  if (answer === undefined) return { answered: [], open };
  // It may be the answer to an earlier sending, which was lost.
  const answered = [{ ...answer, sentAt: first.sentAt }];
  const different = others.filter((other) => !isDeepStrictEqual(other.told, answer.told));
  return {
    answered: [...answered, ...different],
    open: mayCountAgain(sendings.at(-1) ?? first) ? open : [],
  };
}

function knownOf({ entries }: LimiterCall, { sentAt, endedAt, told }: CallSending): Known[] {
  if (told.kind === 'reset') {
    const steps = entries.map(({ window }) => ({ window, before: 0, after: 0, resetAt: 0 }));
    return [{ kind: told.ended ? 'reset' : 'look', sentAt, endedAt, steps }];
  }
  if (told.kind !== 'decided') return [];
  const steps = entries.map(({ window, limit, cost }, index) => {
    const { remaining = 0, resetAt = 0 } = told.entries[index] ?? {};
    const after = limit - remaining;
    return { window, before: told.allowed ? after - cost : after, after, resetAt };
  });
  const isCount = steps.some(({ before, after }) => after > before);
  return [{ kind: isCount ? 'count' : 'look', sentAt, endedAt, steps }];
}
