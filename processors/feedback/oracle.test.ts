import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUBMISSION_STATES, type SubmissionState } from '../../schemas/feedback/documents.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import { CLAIMED, codeOf, FeedbackWorld, type ResultCode, widgetIdOf } from './feedback-world.fixture.ts';

const LIMITS = mergeLimits({
  plans: {
    preview: { feedbackSubmissions: 4, feedbackHeld: 2 },
    free: { feedbackSubmissions: 6, feedbackHeld: 3, feedbackWidgets: 1 },
  },
});

/** The widgets that a preview may have, one at a time. */
const WIDGETS = ['one', 'two'] as const;
const otherThan = (widget: string) => (widget === 'one' ? 'two' : 'one');

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('receive'),
      name: names,
      held: fc.boolean(),
      content: fc.constantFrom('x', 'y'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move'),
      name: names,
      state: fc.constantFrom(...SUBMISSION_STATES),
    }),
  },
  fc.record({ do: fc.constant('remove'), name: names }),
  fc.record({ do: fc.constant('tidy'), name: names }),
  fc.record({ do: fc.constant('verify'), name: names }),
  fc.record({ do: fc.constant('create'), name: fc.constantFrom(...WIDGETS) }),
  fc.record({ do: fc.constant('stray'), name: names }),
  fc.record({ do: fc.constant('claim') }),
);
type Step = {
  readonly do: string;
  readonly name?: string;
  readonly held?: boolean;
  readonly content?: string;
  readonly state?: SubmissionState;
};

/** Feedback in its simplest form: one widget, a map of messages, and two counts. */
class Oracle {
  readonly stored = new Map<string, { readonly content: string; state: SubmissionState }>();
  made = 0;
  widget = 'one';
  #isClaimed = false;
  #held = 0;
  #limits = { all: 4, held: 2 };

  apply({ do: action, name = '', held = false, content = '', state = 'open' }: Step): ResultCode {
    const known = this.stored.get(name);
    switch (action) {
      case 'receive':
        return this.#receive(name, held ? 'held' : 'open', content);
      case 'move':
        if (known === undefined) return 'not_found';
        known.state = state;
        return 'done';
      case 'remove':
        return this.stored.delete(name) ? 'done' : 'not_found';
      case 'verify':
        return known === undefined || known.state === 'held' ? 'not_found' : 'done';
      case 'create':
        if (name !== this.widget && (this.#isClaimed || this.made > 0)) return 'limit_reached';
        this.widget = name;
        return 'done';
      case 'stray':
        return 'not_found';
      case 'claim':
        this.#isClaimed = true;
        this.#limits = { all: 6, held: 3 };
        return 'done';
      default:
        return 'done';
    }
  }

  #receive(name: string, state: SubmissionState, content: string): ResultCode {
    const known = this.stored.get(name);
    if (known !== undefined) return known.content === content ? 'done' : 'idempotency_conflict';
    const isHeld = state === 'held';
    if (this.made >= this.#limits.all) return 'limit_reached';
    if (isHeld && this.#held >= this.#limits.held) return 'limit_reached';
    this.made += 1;
    if (isHeld) this.#held += 1;
    this.stored.set(name, { content, state });
    return 'done';
  }

  counts() {
    const states = [...this.stored.values()].map(({ state }) => state);
    const count = (state: SubmissionState) => states.filter((each) => each === state).length;
    return { open: count('open'), done: count('done'), held: count('held') };
  }
}

function perform(
  world: FeedbackWorld,
  { do: action, name = '', held = false, content = '', state = 'open' }: Step,
) {
  switch (action) {
    case 'receive':
      return codeOf(world.receive(name, { held, content }));
    case 'move':
      return world.move(name, state);
    case 'remove':
      return world.remove(name);
    case 'tidy':
      return world.tidy(name);
    case 'verify':
      return codeOf(world.verify(name));
    case 'create':
      return create(world, name);
    case 'stray':
      return codeOf(world.receive(name, { widget: otherThan(world.current) }));
    default:
      return world.lifecycle(CLAIMED);
  }
}

function create(world: FeedbackWorld, name: string): ResultCode {
  const code = world.create(name);
  if (code === 'done') world.current = name;
  return code;
}

describe('the fold of feedback', () => {
  it('does what a map of messages does, and keeps one blob and one place in the inbox for each', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = FeedbackWorld.withWidget(LIMITS);
        const oracle = new Oracle();
        for (const each of steps) {
          expect(perform(world, each as Step)).toBe(oracle.apply(each as Step));
          expect(world.rowIds('widget')).toEqual([widgetIdOf(oracle.widget)]);
          expect(world.target(oracle.widget)).not.toBe(null);
          expect(world.target(otherThan(oracle.widget))).toBe(null);
          expect(world.root.widgetsMade).toBe(1);
          expect(world.counts()).toEqual(oracle.counts());
          expect(world.root.submissionsMade).toBe(oracle.made);
          expect(world.blobs).toHaveLength(oracle.stored.size);
          expect(world.rowIds('submission')).toHaveLength(oracle.stored.size);
          expect(world.rowIds('inbox')).toHaveLength(oracle.stored.size);
        }
      }),
      { numRuns: 200 },
    );
  });
});
