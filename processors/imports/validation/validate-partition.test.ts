import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { FIELD_BYTES_MAX, RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { Field } from '../../../schemas/imports/configuration.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { ackDigest, batchId, rowId } from '../../../schemas/imports/identity.ts';
import { splitFile } from '../splitting/split.ts';
import { PARTITION_ERRORS_KEPT, type PartitionInput, validatePartition } from './validate-partition.ts';

const SCHEMA = { schemaId: 'sch_abcdefghijklmnopqrstuvwx', schemaRevision: 3 };
const name: Field = { key: 'name', type: 'text', required: true, maxLength: 5 };
const age: Field = { key: 'age', type: 'integer', required: false };
const active: Field = { key: 'active', type: 'boolean', required: false };
const born: Field = { key: 'born', type: 'date', required: true, format: 'DD.MM.YYYY' };

/** The input for one partition of a file, its columns mapped in order to the named fields; null leaves one out. */
async function inputOf(
  csv: string,
  fields: Field[],
  targets: (string | null)[],
  index = 0,
): Promise<PartitionInput> {
  const bytes = Buffer.from(csv);
  const split = await splitFile([bytes], {
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax: 10_000,
    rowBound: FIELD_TYPES.rowBound(fields),
  });
  if (split.kind === 'fault') throw new Error(split.fault.code);
  const range = split.partitions[index]!;
  return {
    ...SCHEMA,
    bytes: bytes.subarray(range.start, range.end),
    range,
    headerColumns: split.header.columns,
    fields,
    columns: targets.flatMap((target, column) => (target === null ? [] : [{ target, index: column }])),
  };
}

async function validate(csv: string, fields: Field[], targets: (string | null)[], index = 0) {
  const result = await validatePartition(await inputOf(csv, fields, targets, index));
  return { ...result, rows: JSON.parse(Buffer.from(result.artifact).toString()) as unknown[] };
}

/** Errors without their sentences. */
function short(errors: readonly { row: number; line: number; column: string | null; code: string }[]) {
  return errors.map(({ row, line, column, code }) => [row, line, column, code]);
}

describe('validatePartition', () => {
  it('turns valid rows into one batch', async () => {
    const csv = 'x,name,born,age,active\n-,Ada,10.12.1815,007,\n';
    const fields = [name, age, active, born];
    expect((await validate(csv, fields, [null, 'name', 'born', 'age', 'active'])).rows).toEqual([null]);

    const valid = await validate(csv.replace('007', '36'), fields, [null, 'name', 'born', 'age', 'active']);
    const values = ['Ada', '36', null, '1815-12-10'];
    const ids = [rowId(SCHEMA.schemaId, 3, 1, values)];
    expect(valid.rows).toEqual([values]);
    expect(valid).toMatchObject({ valid: 1, invalid: 0, blank: 0, errors: [], errorCounts: [] });
    expect(valid.batchId).toBe(batchId(SCHEMA.schemaId, 3, 0, 1, ids));
    expect(valid.ackDigest).toBe(ackDigest(ids));
  });

  it('has one entry a row and no batch where a row is invalid', async () => {
    const result = await validate(
      'name,active\nAda,true\n\n,false\nBob,false\n\n',
      [name, active],
      ['name', 'active'],
    );
    expect(result.rows).toEqual([['Ada', true], null, ['Bob', false]]);
    expect(result).toMatchObject({ valid: 2, invalid: 1, blank: 2, batchId: null, ackDigest: null });
    expect(short(result.errors)).toEqual([[2, 4, 'name', 'required']]);
  });

  it('reports every error of every row, in schema-field order', async () => {
    const csv = 'born,age,name,active\n31.02.2000,1.5,"too\nlong",yes\n01.01.2000,,"",\n';
    const result = await validate(csv, [name, age, active, born], ['born', 'age', 'name', 'active']);
    expect(short(result.errors)).toEqual([
      [1, 2, 'name', 'too_long'],
      [1, 2, 'age', 'not_integer'],
      [1, 2, 'active', 'not_boolean'],
      [1, 2, 'born', 'not_date'],
      [2, 4, 'name', 'required'],
    ]);
    expect(result.errorCounts).toEqual([
      { column: 'name', code: 'required', count: 1 },
      { column: 'name', code: 'too_long', count: 1 },
      { column: 'age', code: 'not_integer', count: 1 },
      { column: 'active', code: 'not_boolean', count: 1 },
      { column: 'born', code: 'not_date', count: 1 },
    ]);
  });

  it('reports another number of fields, with what was expected and found', async () => {
    const result = await validate('age,name\nx\n1,2,3\n1,Ada\n', [name, age], ['age', 'name']);
    expect(short(result.errors)).toEqual([
      [1, 2, null, 'column_count'],
      [2, 3, null, 'column_count'],
    ]);
    expect(result.errors[1]?.message).toContain('Expected 2, found 3');
    expect(result.rows).toEqual([null, null, ['Ada', '1']]);
  });

  it('reports a large field of a row with another number of fields, and no other fault of its cells', async () => {
    const large = 'x'.repeat(FIELD_BYTES_MAX + 1);
    const result = await validate(
      `age,name\n${large}\n,${large},${large}\n${','.repeat(150)}${large}\n1,${large.slice(1)},\n`,
      [name, age],
      ['age', 'name'],
    );
    expect(short(result.errors)).toEqual([
      [1, 2, null, 'column_count'],
      [1, 2, null, 'field_too_large'],
      [2, 3, null, 'column_count'],
      [2, 3, null, 'field_too_large'],
      [3, 4, null, 'column_count'],
      [3, 4, null, 'field_too_large'],
      [4, 5, null, 'column_count'],
    ]);
    expect(result.errorCounts).toEqual([
      { column: null, code: 'column_count', count: 4 },
      { column: null, code: 'field_too_large', count: 3 },
    ]);
  });

  it('reports a record that is too large alone', async () => {
    const record = (bytes: number) => `"${'x'.repeat(bytes - 3)}",\n`;
    const exact = await validate(`a,b\n${record(RECORD_BYTES_MAX)}`, [{ ...name, key: 'b' }], [null, 'b']);
    expect(short(exact.errors)).not.toContainEqual([1, 2, null, 'record_too_large']);
    const larger = await validate(
      `a,b\n${record(RECORD_BYTES_MAX + 1)}`,
      [{ ...name, key: 'b' }],
      [null, 'b'],
    );
    expect(short(larger.errors)).toEqual([[1, 2, null, 'record_too_large']]);
  });

  it('measures a field by its decoded bytes', async () => {
    const text: Field = { key: 't', type: 'text', required: false };
    const codes = async (cell: string) =>
      (await validate(`t\n"${cell}"\n`, [text], ['t'])).errors.map(({ code }) => code);
    expect(await codes('x'.repeat(FIELD_BYTES_MAX))).toEqual([]);
    expect(await codes('""'.repeat(FIELD_BYTES_MAX))).toEqual([]);
    expect(await codes('€'.repeat(FIELD_BYTES_MAX / 3))).toEqual([]);
    expect(await codes('x'.repeat(FIELD_BYTES_MAX + 1))).toEqual(['field_too_large']);
    expect(await codes('€'.repeat(FIELD_BYTES_MAX / 3 + 1))).toEqual(['field_too_large']);
  });

  it('counts a large field that is not mapped, once a row and without a column', async () => {
    const large = 'x'.repeat(FIELD_BYTES_MAX + 1);
    const result = await validate(
      `a,b,name\n${large},${large},\n1,2,${large}\n`,
      [name],
      [null, null, 'name'],
    );
    expect(short(result.errors)).toEqual([
      [1, 2, null, 'field_too_large'],
      [1, 2, 'name', 'required'],
      [2, 3, 'name', 'field_too_large'],
      [2, 3, 'name', 'too_long'],
    ]);
    expect(result.errorCounts[0]).toEqual({ column: null, code: 'field_too_large', count: 1 });
  });

  it('numbers rows and lines as in the file, whatever partition they are in', async () => {
    const csv = `n,age\n"a\nb",1\n\n${'x,1\n'.repeat(99)}y,z\n`;
    const result = await validate(csv, [age], [null, 'age'], 1);
    expect(short(result.errors)).toEqual([[101, 104, 'age', 'not_integer']]);
  });

  it('keeps the first 1,000 errors in full, then one of each row, names the others and counts all', async () => {
    const fields = Array.from({ length: 15 }, (_, index): Field => ({ ...age, key: `f${index}` }));
    const header = fields.map((field) => field.key);
    const invalid = `${header.map(() => 'x').join(',')}\n`;
    const valid = `${header.map(() => '1').join(',')}\n`;
    const csv = `${header.join(',')}\n${invalid.repeat(80)}${valid}${invalid.repeat(18)}1\n`;
    const result = await validate(csv, fields, header);
    const first = short(result.errors.slice(0, PARTITION_ERRORS_KEPT));
    const all = Array.from({ length: 80 }, (_, row) =>
      header.map((key) => [row + 1, row + 2, key, 'not_integer']),
    );
    expect(first).toEqual(all.flat().slice(0, PARTITION_ERRORS_KEPT));
    const rows = [...Array(80).keys()]
      .map((row) => row + 1)
      .concat([...Array(18).keys()].map((row) => row + 82));
    // 1,000 errors are 66 rows and ten of the 67th.
    expect(short(result.errors.slice(PARTITION_ERRORS_KEPT))).toEqual([
      ...rows.slice(67).map((row) => [row, row + 1, 'f0', 'not_integer']),
      [100, 101, null, 'column_count'],
    ]);
    const pairs = (from: number) => header.slice(from).map((key) => [key, 'not_integer']);
    expect(result.omitted).toEqual([
      { row: 67, errors: pairs(10) },
      ...rows.slice(67).map((row) => ({ row, errors: pairs(1) })),
    ]);
    expect(result.errorCounts).toEqual([
      { column: null, code: 'column_count', count: 1 },
      ...header.map((column) => ({ column, code: 'not_integer', count: 98 })),
    ]);
  });

  it('treats a field that nothing is mapped to as empty', async () => {
    const result = await validate('a\n1\n', [name, age], ['age']);
    expect(short(result.errors)).toEqual([[1, 2, 'name', 'required']]);
  });

  it('keeps values of reserved names and hostile text as they are', async () => {
    const text: Field = { key: 'constructor', type: 'text', required: true };
    const cells = ['__proto__', '"""\\\u2028😀\r\n"', '<img onerror=x>', '=1+1'];
    const result = await validate(`__proto__\n${cells.join('\n')}\n`, [text], ['constructor']);
    expect(result.rows).toEqual([['__proto__'], ['"\\\u2028😀\r\n'], ['<img onerror=x>'], ['=1+1']]);
  });

  it('throws when bytes or mapping are not those of the split', async () => {
    const input = await inputOf('a,b\n1,2\n3,4\n', [age], ['age']);
    await expect(validatePartition({ ...input, bytes: input.bytes.subarray(0, 4) })).rejects.toThrow(
      '2 rows: seen 1',
    );
    await expect(validatePartition({ ...input, columns: [{ target: 'age', index: 2 }] })).rejects.toThrow(
      'another header',
    );
    await expect(validatePartition({ ...input, columns: [{ target: 'age', index: null }] })).rejects.toThrow(
      'another header',
    );
  });
});
