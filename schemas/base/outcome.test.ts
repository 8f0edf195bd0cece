import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './digest.ts';
import { refusal } from './errors.ts';
import { type Outcome, outcomeDocument, type StoredOutcome, storedOutcomeSchema } from './outcome.ts';

const PLACE = { table: 'imports', aggregate: 'ins_a', operation: 'claim', key: 'k' };

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant('done' as const),
    result: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,9}$/),
      fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
    ),
  }),
  fc.constantFrom<Outcome>(
    { kind: 'refused', refusal: refusal('limit_reached', 'No more.', 30) },
    { kind: 'refused', refusal: refusal('not_found', 'Not there.') },
    { kind: 'deferred', at: PLACE },
  ),
);

const stored: fc.Arbitrary<StoredOutcome> = fc
  .record(
    {
      inputDigest: fc.string().map(sha256Hex),
      entity: fc.option(fc.string()),
      at: fc.nat(),
      outcome,
      pending: fc.string(),
    },
    { requiredKeys: ['inputDigest', 'entity', 'at', 'outcome'] },
  )
  .map((row) => row as StoredOutcome);

const reread = (row: unknown) => storedOutcomeSchema.parse(JSON.parse(JSON.stringify(row)));

describe('a remembered outcome', () => {
  it('is read as it was when it was written', () => {
    fc.assert(
      fc.property(stored, (row) => {
        expect(reread(outcomeDocument(row))).toEqual(row);
      }),
    );
  });

  it('is read from a plain row of an earlier version', () => {
    fc.assert(
      fc.property(stored, (row) => {
        expect(reread(row)).toEqual(row);
      }),
    );
  });

  it('that says two things, or nothing, is not read', () => {
    const { done, ...nothing } = outcomeDocument({
      inputDigest: sha256Hex('input'),
      entity: null,
      at: 1,
      outcome: { kind: 'done', result: {} },
    });
    expect(storedOutcomeSchema.safeParse(nothing).success).toBe(false);
    expect(storedOutcomeSchema.safeParse({ ...nothing, done, deferred: PLACE }).success).toBe(false);
    expect(storedOutcomeSchema.safeParse({ ...nothing, done, input: 'short' }).success).toBe(false);
  });
});
