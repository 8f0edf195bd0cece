import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import { ActivateWorld, CLAIMED, type SentEvent } from './activate-world.fixture.ts';
import { SMALL_LIMITS } from './oracle.fixture.ts';

const LIMITS = mergeLimits(SMALL_LIMITS);
const STEPS = ['connect', 'import', 'invite', 'pay'];

/** An event, or a change between events. Events next to each other can travel together. */
type Action = SentEvent | 'claim' | 'pause' | 'resume' | 'disconnect' | 'erase' | 'wait' | 'revise';

const event: fc.Arbitrary<SentEvent> = fc.record(
  {
    user: fc.constantFrom('ada', 'grace', 'linus', 'anna'),
    step: fc.constantFrom(...STEPS, 'none'),
    cohort: fc.constantFrom('test', 'test', 'live'),
    checklist: fc.constantFrom('one', 'one', 'one', 'two', 'missing'),
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  },
  { requiredKeys: ['user', 'step', 'cohort', 'checklist'] },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: event },
  {
    weight: 1,
    arbitrary: fc.constantFrom('claim', 'pause', 'resume', 'disconnect', 'erase', 'wait', 'revise'),
  },
);

function started(): ActivateWorld {
  const world = ActivateWorld.withChecklist(LIMITS, STEPS.slice(0, 3));
  world.create('two', STEPS);
  return world;
}

function change(world: ActivateWorld, what: Exclude<Action, SentEvent>): unknown {
  switch (what) {
    case 'claim':
      return world.lifecycle(CLAIMED);
    case 'pause':
      return world.lifecycle({ state: 'paused' });
    case 'resume':
      return world.lifecycle({ state: 'active' });
    case 'disconnect':
      return world.lifecycle({ state: 'disconnected' });
    case 'erase':
      return world.erase('ada').kind;
    case 'revise':
      return world.revise(1, STEPS).kind;
    case 'wait':
      world.now += HOUR_MS;
      return world.now;
  }
}

/** Everything that is stored, but for what the runtime keeps for waiters. */
function stateOf(world: ActivateWorld) {
  return { root: world.root(), rows: world.rows() };
}

const isEvent = (one: Action | undefined): one is SentEvent => typeof one === 'object';

/** Sends each event with those after it, as far as they are of its checklist and `sizes` admit. */
function sendTogether(world: ActivateWorld, actions: readonly Action[], sizes: readonly number[]): unknown[] {
  const answers: unknown[] = [];
  for (let next = 0, turn = 0; next < actions.length; turn += 1) {
    const first = actions[next] as Action;
    if (!isEvent(first)) {
      answers.push(change(world, first));
      next += 1;
      continue;
    }
    const most = next + (sizes[turn % sizes.length] ?? 1);
    let end = next + 1;
    for (; end < most; end += 1) {
      const one = actions[end];
      if (!isEvent(one) || one.checklist !== first.checklist) break;
    }
    const events = actions.slice(next, end).filter(isEvent);
    answers.push(...world.eventOutcomes(first.checklist ?? 'one', events));
    next = end;
  }
  return answers;
}

describe('events that travel together', () => {
  it('have the outcomes, the use and the state of events that come alone', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(action, { minLength: 5, maxLength: 80 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        (actions, sizes) => {
          const alone = started();
          const expected = actions.map((one) =>
            isEvent(one) ? alone.eventOutcome(one.user, one.step, one) : change(alone, one),
          );
          const together = started();
          expect(sendTogether(together, actions, sizes)).toEqual(expected);
          expect(stateOf(together)).toEqual(stateOf(alone));
          for (const one of expected) seen.add(labelOf(one));
        },
      ),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining(REACHED));
  });

  it('change nothing when all of them or some come again, in other company', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 30 }), fc.nat(29), (drawn, from) => {
        const events = drawn.map((one, index) => ({ ...one, checklist: 'one', key: `key ${index}` }));
        const world = started();
        const first = world.eventOutcomes('one', events);
        const before = stateOf(world);
        const part = events.slice(from).reverse();
        const again = world.eventOutcomes('one', [...events, ...part]);
        // Beyond the alternate keys of a milestone, an event is answered without its key being remembered.
        const outcomes = (of: typeof first) =>
          of.map((one) => (one?.kind === 'done' ? one.result['outcome'] : one));
        expect(outcomes(again)).toEqual(outcomes([...first, ...first.slice(from).reverse()]));
        expect(stateOf(world)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });
});

function labelOf(outcome: unknown): string {
  const { kind, refusal, result } = Object(outcome);
  return refusal?.code ?? result?.outcome ?? kind ?? 'changed';
}

const REACHED = [
  'already_completed',
  'bad_request',
  'claim_required',
  'completed',
  'idempotency_conflict',
  'limit_reached',
  'not_found',
  'workspace_disconnected',
  'workspace_paused',
];
