import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './digest.ts';
import { refusal } from './errors.ts';
import type { JsonObject } from './json.ts';
import {
  findOutcome,
  type Outcome,
  outcomeDocument,
  parseOutcomeRows,
  RUNTIME_KINDS,
  type StoredOutcome,
  storedOutcomeSchema,
} from './outcome.ts';

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
    {
      kind: 'refused',
      refusal: refusal('limit_reached', { at: 'plan', seen: 'all used', expected: 'some left' }, 30),
    },
    {
      kind: 'refused',
      refusal: refusal('not_found', { at: 'path', seen: 'nothing', expected: 'something' }),
    },
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

describe('findOutcome', () => {
  const wanted = {
    requestId: `req_${'a'.repeat(24)}`,
    operation: 'claim',
    key: 'k',
    inputDigest: sha256Hex('input'),
  };
  const done = { kind: 'done', result: {} } as const;
  const kept: StoredOutcome = { inputDigest: wanted.inputDigest, entity: null, at: 1, outcome: done };
  const rows = (recent: JsonObject | null, stored: StoredOutcome | null) =>
    parseOutcomeRows([
      ...(recent === null ? [] : [{ kind: RUNTIME_KINDS.recent, document: recent }]),
      ...(stored === null ? [] : [{ kind: RUNTIME_KINDS.outcome, document: outcomeDocument(stored) }]),
    ]);
  const own = (outcome: Outcome, pending?: string) =>
    ({ requestId: wanted.requestId, outcome, ...(pending === undefined ? {} : { pending }) }) as JsonObject;

  it('waits for the pending row of what the key remembers when the ring repeats it', () => {
    const found = findOutcome(wanted, rows(own(done), { ...kept, pending: '000000000007' }));
    expect(found).toEqual({ outcome: done, pending: '000000000007', by: 'request' });
  });

  it('prefers the pending row of the request to the earlier one of its key', () => {
    const found = findOutcome(wanted, rows(own(done, '000000000009'), { ...kept, pending: '000000000007' }));
    expect(found).toEqual({ outcome: done, pending: '000000000009', by: 'request' });
  });

  it('takes what the key remembers where the ring only says where it is decided', () => {
    const found = findOutcome(wanted, rows(own({ kind: 'deferred', at: PLACE }), kept));
    expect(found).toMatchObject({ outcome: done, by: 'request' });
  });

  it('leaves out what the key remembers of other input', () => {
    const other = { ...kept, inputDigest: sha256Hex('other'), pending: '000000000007' };
    expect(findOutcome(wanted, rows(null, other))).toBeNull();
    expect(findOutcome(wanted, rows(own(done), other))).toEqual({ ...own(done), by: 'request' });
  });
});
