import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { isOpen } from '../../schemas/checks/derived-states.ts';
import type { RunStatus } from '../../schemas/checks/results.ts';
import {
  AT_ONCE,
  ChecksWorld,
  type Ending,
  ORIGIN,
  OTHER_ORIGIN,
  originIdOf,
  QUEUE_MS,
  RUNNING_MS,
  RUNS_KEPT,
  RUNS_MAX,
  runIdOf,
} from './checks-world.fixture.ts';

type ResultCode = 'done' | ErrorCode;

const runs = fc.nat(RUNS_MAX + 1);
const drivers = fc.constantFrom('b'.repeat(24), 'c'.repeat(24));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('request' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), run: runs, driver: drivers }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      run: runs,
      driver: drivers,
      ending: fc.constantFrom<Ending>('passed', 'elsewhere', 'heading_missing', 'navigation_timeout', 'dns'),
    }),
  },
  fc.record({ do: fc.constant('abandon' as const), run: runs }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), run: runs }) },
  fc.record({ do: fc.constant('prove' as const) }),
  fc.record({ do: fc.constant('name' as const), origin: fc.constantFrom(ORIGIN, OTHER_ORIGIN) }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 11 * MINUTE_MS, DAY_MS),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The fold of browser checks, which takes steps. */
class Checks extends ChecksWorld {
  #requested = 0;

  /** The runs that are kept with an end. */
  ended(): readonly number[] {
    return NUMBERS.filter((at) => this.run(at)?.endedAt != null);
  }

  apply(taken: Step): ResultCode {
    switch (taken.do) {
      case 'request': {
        const code = this.request(this.#requested);
        if (code === 'done') this.#requested += 1;
        return code;
      }
      case 'begin':
        this.begin(taken.run, taken.driver);
        return 'done';
      case 'finish':
        this.finish(taken.run, taken.driver, taken.ending);
        return 'done';
      case 'abandon':
        this.abandon(taken.run);
        return 'done';
      case 'end':
        this.end(taken.run);
        return 'done';
      case 'prove':
        return this.prove();
      case 'name':
        return this.name(taken.origin);
      case 'wait':
        this.wait(taken.ms);
        return 'done';
    }
  }
}

/** The numbers of runs that steps name. */
const NUMBERS = Array.from({ length: RUNS_MAX + 2 }, (_, at) => at);

interface KnownRun {
  status: RunStatus;
  deadline: number;
  driver: string | null;
  endedAt: number | null;
}

const STATUSES: Readonly<Record<string, RunStatus>> = {
  passed: 'passed',
  elsewhere: 'errored',
  heading_missing: 'failed',
  navigation_timeout: 'timed_out',
  dns: 'errored',
};

/** Browser checks in their simplest form: one origin, a list of runs, their charges and the end of a proof. */
class Oracle {
  readonly runs: KnownRun[] = [];
  readonly kept = new Set<number>();
  charged = 0;
  lastVerified: number | null = null;
  origin = ORIGIN;
  #provedUntil = 0;

  apply(taken: Step, now: number): ResultCode {
    if (taken.do === 'request') return this.#request(now);
    if (taken.do === 'name') return this.#name(taken.origin, now);
    if (taken.do === 'prove') {
      this.#name(ORIGIN, now);
      this.#provedUntil = now + DAY_MS;
    }
    if (taken.do === 'wait' || taken.do === 'prove') return 'done';
    const run = this.runs[taken.run];
    if (run === undefined || !isOpen(run)) return 'done';
    if (taken.do === 'abandon' || now >= run.deadline) this.#lose(run, now);
    else if (taken.do === 'begin') this.#begin(run, taken.driver, now);
    else if (taken.do === 'finish') this.#finish(taken.run, run, taken, now);
    return 'done';
  }

  #name(origin: string, now: number): ResultCode {
    if (origin === this.origin) return 'done';
    const isActive = this.runs.some((run) => isOpen(run) && now < run.deadline);
    if (this.lastVerified !== null || isActive) return 'limit_reached';
    this.origin = origin;
    this.#provedUntil = 0;
    return 'done';
  }

  #request(now: number): ResultCode {
    if (now >= this.#provedUntil) return 'state_conflict';
    const overdue = this.runs.filter((run) => isOpen(run) && now >= run.deadline);
    const active = this.runs.filter((run) => isOpen(run) && now < run.deadline);
    if (this.charged - overdue.length >= RUNS_MAX || active.length >= AT_ONCE) return 'limit_reached';
    for (const run of overdue) this.#lose(run, now);
    this.kept.add(this.runs.length);
    this.runs.push({ status: 'queued', deadline: now + QUEUE_MS, driver: null, endedAt: null });
    for (const at of [...this.kept].toReversed().slice(RUNS_KEPT)) {
      const run = this.runs[at];
      if (run !== undefined && !isOpen(run)) this.kept.delete(at);
    }
    this.charged += 1;
    return 'done';
  }

  #begin(run: KnownRun, driver: string, now: number): void {
    if (run.driver !== null) return;
    const isProved = now < this.#provedUntil;
    const begun = isProved
      ? { status: 'running' as const, deadline: now + RUNNING_MS }
      : { status: 'errored' as const, endedAt: now };
    Object.assign(run, { driver, ...begun });
  }

  #finish(at: number, run: KnownRun, { driver, ending }: { driver: string; ending: Ending }, now: number) {
    if (run.driver !== null && run.driver !== driver) return;
    const isLate = ending === 'passed' && now >= this.#provedUntil;
    Object.assign(run, { driver, status: isLate ? 'errored' : STATUSES[ending], endedAt: now });
    if (run.status === 'passed') this.lastVerified = at;
  }

  #lose(run: KnownRun, now: number): void {
    Object.assign(run, { status: 'errored', endedAt: Math.min(now, run.deadline) });
    this.charged -= 1;
  }
}

/** Expects the counts, the active runs and every run that is kept to be those of the oracle. */
function expectSame(checks: Checks, { runs: known, kept, charged, lastVerified, origin }: Oracle): void {
  const { root, world } = checks;
  const originId = originIdOf(origin);
  expect(root).toMatchObject({ originsMade: 1, origins: [{ originId, origin }] });
  expect(checks.originIds()).toEqual([originId]);
  expect(root.runsMade).toBe(charged);
  const active = root.activeRuns.filter(({ deadlineAt }) => world.now < deadlineAt);
  const open = known.flatMap((run, at) => (isOpen(run) && world.now < run.deadline ? [runIdOf(at)] : []));
  expect(active.map(({ runId }) => runId)).toEqual(open);
  expect(root.lastVerified?.runId ?? null).toBe(lastVerified === null ? null : runIdOf(lastVerified));
  for (const [at, { status, endedAt, driver }] of known.entries()) {
    if (!kept.has(at)) expect(checks.run(at)).toBe(null);
    else expect(checks.run(at)).toMatchObject({ status, endedAt, driver, verified: status === 'passed' });
  }
}

describe('the fold of browser checks', () => {
  it('answers and keeps what a list of runs would, in any order of commands', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const checks = new Checks();
        const oracle = new Oracle();
        for (const taken of [{ do: 'prove' as const }, ...steps]) {
          const code = checks.apply(taken);
          expect(code).toBe(oracle.apply(taken, checks.world.now));
          expectSame(checks, oracle);
        }
      }),
    );
  });

  it('ends a run once: no command changes an end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const checks = new Checks();
        const ends = new Map<number, unknown>();
        for (const taken of [{ do: 'prove' as const }, ...steps]) {
          checks.apply(taken);
          for (const [at, end] of ends) expect([end, null]).toContainEqual(checks.run(at));
          for (const at of checks.ended()) ends.set(at, checks.run(at));
        }
      }),
    );
  });

  it('ends every run that is asked for after its deadline, and counts none of them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const checks = new Checks();
        for (const taken of [{ do: 'prove' as const }, ...steps]) checks.apply(taken);
        checks.wait(11 * MINUTE_MS);
        for (const at of NUMBERS) {
          checks.end(at);
          expect(['queued', 'running']).not.toContain(checks.run(at)?.status);
        }
        expect(checks.root.activeRuns).toEqual([]);
        expect(checks.apply({ do: 'prove' })).toBe('done');
        const isUsedUp = checks.root.runsMade === RUNS_MAX;
        expect(checks.apply({ do: 'request' })).toBe(isUsedUp ? 'limit_reached' : 'done');
      }),
    );
  });
});
