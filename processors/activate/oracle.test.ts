import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import { ActivateWorld, CLAIMED, PREVIEW, START } from './activate-world.fixture.ts';
import { Oracle, SMALL_LIMITS, type Subject } from './oracle.fixture.ts';
import { expectedReading, readingOf } from './oracle-reading.fixture.ts';

const LIMITS = mergeLimits(SMALL_LIMITS);
const CHECKLISTS = ['one', 'two', 'three', 'four'];
const USERS = ['ada', 'grace', 'linus', 'anna'];
const UNIVERSE = { checklists: CHECKLISTS, users: USERS };
const STEPS = ['connect', 'import', 'invite', 'pay'];

type Action =
  | { readonly does: 'create'; readonly checklist: string; readonly keys: readonly string[] }
  | {
      readonly does: 'revise';
      readonly checklist: string;
      readonly off: number;
      readonly keys: readonly string[];
    }
  | { readonly does: 'event'; readonly subject: Subject; readonly step: string; readonly key: number | null }
  | { readonly does: 'session' | 'erase' | 'tidy'; readonly subject: Subject }
  | { readonly does: 'claim' | 'pause' | 'resume' | 'disconnect' }
  | { readonly does: 'wait'; readonly ms: number };

const checklist = fc.oneof(
  { weight: 6, arbitrary: fc.constant('one') },
  { weight: 1, arbitrary: fc.constantFrom(...CHECKLISTS) },
);
const cohort = fc.oneof(
  { weight: 4, arbitrary: fc.constant('test' as const) },
  { weight: 1, arbitrary: fc.constant('live' as const) },
);
const subject = fc.record({ checklist, cohort, user: fc.constantFrom(...USERS) });
const keys = fc.subarray(STEPS, { minLength: 1 });
/** One of a few keys, so that it repeats with the same and with other input; null: a fresh key. */
const key = fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 });

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('create' as const),
      checklist: fc.constantFrom(...CHECKLISTS),
      keys,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('revise' as const),
      checklist,
      off: fc.constantFrom(0, 0, 0, 1, -1),
      keys,
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      does: fc.constant('event' as const),
      subject,
      step: fc.constantFrom(...STEPS),
      key,
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('session' as const), subject }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('erase' as const, 'tidy' as const), subject }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('claim' as const, 'claim' as const, 'pause' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('resume' as const, 'resume' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      ms: fc.constantFrom(1, MINUTE_MS, 14 * MINUTE_MS, 15 * MINUTE_MS, DAY_MS, 20 * DAY_MS),
    }),
  },
);
/** A disconnected workspace has little more to show, so it comes last. */
const actions = fc
  .tuple(fc.array(action, { minLength: 10, maxLength: 80 }), fc.array(action, { maxLength: 3 }), fc.boolean())
  .map(([before, after, ends]): Action[] => {
    const first: Action = { does: 'create', checklist: 'one', keys: STEPS.slice(0, 3) };
    return [first, ...before, ...(ends ? [{ does: 'disconnect' } as const, ...after] : [])];
  });

/** Does the same actions to the fold and to the oracle, and compares. */
class Both {
  readonly world = new ActivateWorld(LIMITS);
  readonly oracle = new Oracle(START);
  readonly seen = new Map<string, number>();
  #keys = 0;

  constructor() {
    this.world.send('lifecycle', PREVIEW);
  }

  #number(): number {
    this.#keys += 1;
    return this.#keys;
  }

  do(action: Action): void {
    const [says, expected] = this.#answers(action);
    expect(says).toEqual(expected);
    const label = `${action.does} ${typeof expected === 'string' ? expected : 'answered'}`;
    this.seen.set(label, (this.seen.get(label) ?? 0) + 1);
  }

  /** The answers of the fold and of the oracle. */
  #answers(action: Action): [unknown, unknown] {
    const { world, oracle } = this;
    switch (action.does) {
      case 'create': {
        if (oracle.has(action.checklist)) return ['known', 'known'];
        const name = `create ${this.#number()}`;
        return [
          world.create(action.checklist, action.keys, name),
          oracle.create(action.checklist, action.keys),
        ];
      }
      case 'revise': {
        const expected = Math.max(1, oracle.revisions(action.checklist).length + action.off);
        const outcome = world.revise(expected, action.keys, undefined, action.checklist);
        const revision = outcome.kind === 'done' ? outcome.result['revision'] : codeOf(outcome);
        return [revision, oracle.revise(action.checklist, expected, action.keys)];
      }
      case 'event':
        return this.#event(action);
      case 'session': {
        const name = `session ${this.#number()}`;
        const { user, ...options } = action.subject;
        return [world.session(user, name, options), oracle.issue(action.subject, sha256Hex(name))];
      }
      case 'erase': {
        const { user, ...options } = action.subject;
        const outcome = world.erase(user, options);
        const erased = outcome.kind === 'done' ? outcome.result['erased'] : codeOf(outcome);
        return [erased, oracle.erase(action.subject)];
      }
      case 'tidy':
        return [world.tidy(action.subject.user), 'done'];
      default:
        return this.#change(action);
    }
  }

  #event({ subject: of, step, key: number }: Extract<Action, { does: 'event' }>): [unknown, unknown] {
    const name = number === null ? `fresh ${this.#number()}` : `shared ${number}`;
    const { user, ...options } = of;
    const outcome = this.world.eventOutcome(user, step, { ...options, key: name });
    const answer = outcome.kind === 'done' ? outcome.result : null;
    const expected = this.oracle.event(of, step, name, String(answer?.['eventId']));
    return [answer ?? codeOf(outcome), expected];
  }

  #change(action: Extract<Action, { does: 'claim' | 'pause' | 'resume' | 'disconnect' | 'wait' }>) {
    const { world, oracle } = this;
    const done: [unknown, unknown] = ['done', 'done'];
    switch (action.does) {
      case 'claim':
        if (oracle.state !== 'preview' || oracle.expired) return done;
        world.lifecycle(CLAIMED);
        oracle.become('active', 'free');
        return done;
      case 'pause':
        if (oracle.state !== 'active') return done;
        world.lifecycle({ state: 'paused' });
        oracle.become('paused', 'free');
        return done;
      case 'resume':
        if (oracle.state !== 'paused') return done;
        world.lifecycle({ state: 'active' });
        oracle.become('active', 'free');
        return done;
      case 'disconnect':
        world.lifecycle({ state: 'disconnected' });
        oracle.become('disconnected', world.root().lifecycle?.plan ?? 'preview');
        return done;
      case 'wait':
        world.now += action.ms;
        oracle.now = world.now;
        return done;
    }
  }
}

function codeOf(outcome: ReturnType<ActivateWorld['eventOutcome']>): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
}

describe('random sequences of everything that happens to checklists', () => {
  it('are answered and end as the oracle says', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(actions, (sequence) => {
        const both = new Both();
        for (const one of sequence) both.do(one);
        const { world, oracle } = both;
        const state = { root: world.root(), now: world.now, rows: world.rows() };
        expect(readingOf(state, LIMITS, UNIVERSE)).toEqual(expectedReading(oracle, UNIVERSE));
        for (const label of both.seen.keys()) seen.add(label);
      }),
      { numRuns: 200 },
    );
    // The sequences are worth something only if they come to all of this.
    expect([...seen].sort()).toEqual(expect.arrayContaining(REACHED));
  });

  it('fold twice to byte-equal documents', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        const [first, second] = [0, 1].map(() => {
          const both = new Both();
          for (const one of sequence) both.do(one);
          return both.world.folds.documents();
        });
        expect(second).toBe(first);
      }),
      { numRuns: 50 },
    );
  });
});

const REACHED = [
  'create done',
  'create limit_reached',
  'erase answered',
  'erase not_found',
  'event answered',
  'event bad_request',
  'event claim_required',
  'event expired',
  'event idempotency_conflict',
  'event limit_reached',
  'event not_found',
  'event workspace_disconnected',
  'event workspace_paused',
  'revise answered',
  'revise limit_reached',
  'revise revision_conflict',
  'session claim_required',
  'session done',
  'session workspace_paused',
];
