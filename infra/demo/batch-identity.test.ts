import { describe, expect, it } from 'vitest';
import { batchId } from '../../schemas/imports/identity.ts';
import vectors from '../../schemas/imports/vectors/identity.json' with { type: 'json' };
import type { Batch } from './backend.ts';
import { recomputeBatchId } from './batch-identity.ts';

describe('a batch id computed without the service', () => {
  it.each(vectors.rows)('agrees with the frozen vector "$name"', (vector) => {
    const { schemaId, schemaRevision, row, rowId } = vector;
    expect(recomputeBatchId(...batchOf(vector))).toBe(batchId(schemaId, schemaRevision, 4, row, [rowId]));
  });

  it('changes with a value, and with the order of the fields', () => {
    const vector = {
      schemaId: 'sch_abcdefghijklmnopqrstuvwx',
      schemaRevision: 1,
      row: 1,
      rowId: '',
      values: ['a', 'b'],
    };
    const [batch, fields] = batchOf(vector);
    const id = recomputeBatchId(batch, fields);
    expect(recomputeBatchId(...batchOf({ ...vector, values: ['a', 'c'] }))).not.toBe(id);
    expect(recomputeBatchId(batch, fields.toReversed())).not.toBe(id);
  });
});

type RowVector = Pick<
  (typeof vectors.rows)[number],
  'schemaId' | 'schemaRevision' | 'row' | 'rowId' | 'values'
>;

/** The vector's row as the only one of a delivered batch, and the keys of its fields. */
function batchOf({ schemaId, schemaRevision, row, rowId, values }: RowVector): [Batch, string[]] {
  const fields = values.map((_, index) => `field${index}`);
  const batch = {
    index: 4,
    batchId: '',
    manifest: { schemaId, schemaRevision, index: 4, firstRow: row, rowIds: [rowId] },
    rows: [
      { row, rowId, values: Object.fromEntries(values.map((value, index) => [`field${index}`, value])) },
    ],
    nextIndex: null,
  };
  return [batch, fields];
}
