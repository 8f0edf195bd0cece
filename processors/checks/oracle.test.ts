import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/errors.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { checksRootSchema, runDocumentSchema } from '../../schemas/checks/documents.ts';
import type { FailureReason, RunStatus } from '../../schemas/checks/results.ts';
import { runOverheadMs } from '../../schemas/checks/run-time.ts';
import { effectiveRun } from '../../schemas/checks/states.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createChecksFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const FLOW_MS = 20 * SECOND_MS;
const RUNS_MAX = 6;
const AT_ONCE = 2;
const RUNS_KEPT = 4;
const LIMITS = mergeLimits({
  plans: { preview: { checkRuns: RUNS_MAX, checkRunsAtOnce: AT_ONCE } },
  checks: { runsKept: RUNS_KEPT, proofMs: DAY_MS, queueMs: 10 * MINUTE_MS, graceMs: 20 * SECOND_MS },
});
const AGENT: Actor = { kind: 'agent', id: 'crd_agent' };
const bytes = (text: string) => keyedDigest('test', text);
const installationId = idFrom('installation', bytes('one'));
const originId = idFrom('origin', bytes('one'));
const suiteId = idFrom('suite', bytes('one'));
const runIdOf = (at: number) => idFrom('run', bytes(`run ${at}`));
const origin = 'https://shop.example';
const token = 'a'.repeat(24);

type Ending = FailureReason | 'passed' | 'elsewhere';
type ResultCode = 'done' | ErrorCode;

const runs = fc.nat(RUNS_MAX);
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
  fc.record({ do: fc.constant('prove' as const) }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 11 * MINUTE_MS, DAY_MS),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One installation's browser checks in memory, with one origin and one suite. */
class Checks {
  readonly world = new FoldWorld([createChecksFold(LIMITS)], START);
  #requested = 0;

  constructor() {
    this.send('lifecycle', {
      version: 1,
      state: 'preview',
      plan: 'preview',
      expiresAt: START + 365 * DAY_MS,
      products: [],
    });
    this.send('create-origin', { originId, origin, token });
    const steps = [{ action: 'goto', url: `${origin}/` }];
    const configuration = { name: 'Smoke', flows: [{ name: 'Home', steps, timeoutMs: FLOW_MS }] };
    this.send('create-suite', { suiteId, originId, accessProfileId: null, configuration });
  }

  send(type: string, input: JsonObject): ResultCode {
    const outcome = this.world.send({
      topic: 'checks',
      aggregate: installationId,
      type,
      input,
      actor: AGENT,
    });
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }

  apply(taken: Step): ResultCode {
    switch (taken.do) {
      case 'request': {
        const code = this.send('request-run', { runId: runIdOf(this.#requested), suiteId });
        if (code === 'done') this.#requested += 1;
        return code;
      }
      case 'begin':
        return this.send('begin-run', { runId: runIdOf(taken.run), driver: taken.driver });
      case 'finish':
        return this.send('finish-run', {
          runId: runIdOf(taken.run),
          driver: taken.driver,
          findings: findingsOf(taken.ending),
          screenshot: null,
        });
      case 'abandon':
        return this.send('abandon-run', { runId: runIdOf(taken.run) });
      case 'prove':
        this.send('create-origin', { originId, origin, token });
        return this.send('confirm-origin', { originId, token, reading: { kind: 'matches' } });
      case 'wait':
        this.world.now += taken.ms;
        return 'done';
    }
  }

  get root() {
    return checksRootSchema.parse(this.world.root('checks', installationId));
  }

  /** A run as everybody reads it now; null for one that is not kept. */
  run(at: number): { readonly status: RunStatus; readonly verified: boolean } | null {
    const row = this.world.row('checks', installationId, 'run', runIdOf(at));
    if (row === null) return null;
    const { status, verified } = effectiveRun(runDocumentSchema.parse(row), this.world.now);
    return { status, verified };
  }
}

function findingsOf(ending: Ending): JsonObject {
  const failure =
    ending === 'passed' || ending === 'elsewhere' ? null : { reason: ending, message: 'It did not hold.' };
  const finalUrl = ending === 'elsewhere' ? 'https://other.example/' : `${origin}/`;
  return { flows: [], failure, consoleErrors: 0, networkErrors: 0, blockedRequests: 0, finalUrl };
}

interface KnownRun {
  status: RunStatus;
  verified: boolean;
  deadline: number;
  driver: string | null;
}

const STATUSES: Readonly<Record<string, RunStatus>> = {
  passed: 'passed',
  elsewhere: 'errored',
  heading_missing: 'failed',
  navigation_timeout: 'timed_out',
  dns: 'errored',
};

/** Browser checks in their simplest form: a list of runs and the end of a proof. */
class Oracle {
  readonly runs: KnownRun[] = [];
  lastVerified: number | null = null;
  #provedUntil = 0;

  apply(taken: Step, now: number): ResultCode {
    for (const run of this.runs) {
      if (isOpen(run) && now >= run.deadline) Object.assign(run, { status: 'errored', verified: false });
    }
    switch (taken.do) {
      case 'request':
        return this.#request(now);
      case 'begin':
        this.#begin(this.runs[taken.run], taken.driver, now);
        return 'done';
      case 'finish':
        this.#finish(taken.run, taken, now);
        return 'done';
      case 'abandon':
        this.#abandon(this.runs[taken.run]);
        return 'done';
      case 'prove':
        this.#provedUntil = now + DAY_MS;
        return 'done';
      case 'wait':
        return 'done';
    }
  }

  #request(now: number): ResultCode {
    if (now >= this.#provedUntil) return 'state_conflict';
    if (this.runs.length >= RUNS_MAX || this.runs.filter(isOpen).length >= AT_ONCE) return 'limit_reached';
    this.runs.push({ status: 'queued', verified: false, deadline: now + 10 * MINUTE_MS, driver: null });
    return 'done';
  }

  #begin(run: KnownRun | undefined, driver: string, now: number): void {
    if (run === undefined || !isOpen(run) || run.driver !== null) return;
    const isProved = now < this.#provedUntil;
    const deadline = now + FLOW_MS + runOverheadMs(1) + 20 * SECOND_MS;
    Object.assign(run, { status: isProved ? 'running' : 'errored', driver, deadline });
  }

  #finish(at: number, { driver, ending }: { driver: string; ending: Ending }, now: number): void {
    const run = this.runs[at];
    if (run === undefined || !isOpen(run) || (run.driver !== null && run.driver !== driver)) return;
    const verified = ending === 'passed' && now < this.#provedUntil;
    const status = ending === 'passed' && !verified ? 'errored' : STATUSES[ending];
    Object.assign(run, { status, verified });
    if (verified) this.lastVerified = at;
  }

  #abandon(run: KnownRun | undefined): void {
    if (run !== undefined && isOpen(run)) Object.assign(run, { status: 'errored', verified: false });
  }
}

function isOpen({ status }: KnownRun): boolean {
  return status === 'queued' || status === 'running';
}

/** Expects the counts, the open runs and every run that is kept to be those of the oracle. */
function expectSame(checks: Checks, { runs: known, lastVerified }: Oracle): void {
  const { root, world } = checks;
  expect(root.runsMade).toBe(known.length);
  const active = root.activeRuns.filter(({ deadlineAt }) => world.now < deadlineAt);
  const open = known.flatMap((run, at) => (isOpen(run) ? [runIdOf(at)] : []));
  expect(active.map(({ runId }) => runId)).toEqual(open);
  expect(root.lastVerified?.runId ?? null).toBe(lastVerified === null ? null : runIdOf(lastVerified));
  for (const [at, { status, verified }] of known.entries()) {
    const isKept = at >= known.length - RUNS_KEPT;
    expect(checks.run(at)).toEqual(isKept ? { status, verified } : null);
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
          // Runs end by their deadlines, whatever is asked next.
          oracle.apply({ do: 'wait', ms: 0 }, checks.world.now);
          expectSame(checks, oracle);
        }
      }),
    );
  });

  it('ends every run by itself: none is open after its deadline', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const checks = new Checks();
        for (const taken of [{ do: 'prove' as const }, ...steps]) checks.apply(taken);
        checks.world.now += 11 * MINUTE_MS;
        for (let at = 0; at < RUNS_MAX; at += 1) {
          expect(['queued', 'running']).not.toContain(checks.run(at)?.status);
        }
        expect(checks.apply({ do: 'prove' })).toBe('done');
        const isUsedUp = checks.root.runsMade === RUNS_MAX;
        expect(checks.apply({ do: 'request' })).toBe(isUsedUp ? 'limit_reached' : 'done');
      }),
    );
  });
});
