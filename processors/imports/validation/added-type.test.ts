import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { exampleOf } from '../../../schemas/base/examples.ts';
import type { AnyField } from '../../../schemas/imports/fields/field-type.ts';
import { FIELD_TYPES, FieldTypes } from '../../../schemas/imports/fields/registry.ts';
import { rowErrorCodes } from '../../../schemas/imports/file-faults.ts';
import { splitFile } from '../splitting/split.ts';
import { emailField } from './testing/email-field.ts';
import { validatePartition } from './validate-partition.ts';

const types = new FieldTypes([...FIELD_TYPES.list, emailField]);
const FIELDS: AnyField[] = [
  types.schema.parse({ key: 'contact', type: 'email', required: true, domain: 'example.com' }),
  types.schema.parse({ key: 'seats', type: 'integer', required: false }),
];

async function validate(csv: string) {
  const bytes = Buffer.from(csv);
  const split = await splitFile([bytes], {
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax: 100,
    rowBound: types.rowBound(FIELDS),
  });
  if (split.kind === 'fault') throw new Error(split.fault.code);
  const range = split.partitions[0]!;
  const input = {
    bytes: bytes.subarray(range.start, range.end),
    range,
    headerColumns: split.header.columns,
    fields: FIELDS,
    columns: FIELDS.map(({ key }, index) => ({ target: key, index })),
    schemaId: 'sch_abcdefghijklmnopqrstuvwx',
    schemaRevision: 1,
  };
  return { ...(await validatePartition(input, types)), bound: split.artifactBytesBound };
}

describe('a field type of one file', () => {
  it('is refused by the service until the registry lists it', () => {
    expect(FIELD_TYPES.schema.safeParse(FIELDS[0]).success).toBe(false);
    expect(() => FIELD_TYPES.reader({ key: 'contact', type: 'email', required: true })).toThrow('email');
  });

  it('reads the cells of a partition within its bound', async () => {
    const { artifact, batchId, bound } = await validate(
      'contact,seats\nAda@EXAMPLE.com,7\nbo@example.com,\n',
    );
    expect(JSON.parse(Buffer.from(artifact).toString())).toEqual([
      ['Ada@example.com', '7'],
      ['bo@example.com', null],
    ]);
    expect(batchId).toMatch(/^[0-9a-f]{64}$/);
    expect(artifact.length).toBeLessThanOrEqual(bound);
  });

  it('reports its errors with its codes, and counts them in the order of the fields', async () => {
    const csv = 'contact,seats\nnobody,x\nada@elsewhere.com,1\n,2\n';
    const { errors, errorCounts, valid, batchId } = await validate(csv);
    expect({ valid, batchId }).toEqual({ valid: 0, batchId: null });
    expect(errors.map(({ row, column, code }) => [row, column, code])).toEqual([
      [1, 'contact', 'not_email'],
      [1, 'seats', 'not_integer'],
      [2, 'contact', 'other_domain'],
      [3, 'contact', 'required'],
    ]);
    expect(errorCounts).toEqual([
      { column: 'contact', code: 'required', count: 1 },
      { column: 'contact', code: 'not_email', count: 1 },
      { column: 'contact', code: 'other_domain', count: 1 },
      { column: 'seats', code: 'not_integer', count: 1 },
    ]);
  });

  it('adds its codes and its example to those of the other types', () => {
    expect(rowErrorCodes(types)).toEqual([
      'required',
      ...FIELD_TYPES.errorCodes,
      'not_email',
      'other_domain',
      'column_count',
      'field_too_large',
      'record_too_large',
    ]);
    expect(types.list.map(({ schema }) => schema.safeParse(exampleOf(schema as z.ZodType)).success)).toEqual(
      types.list.map(() => true),
    );
  });
});
