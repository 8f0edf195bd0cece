import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../schemas/csv/header.ts';
import { importConfigurationSchema, mappingSchema } from '../../../schemas/imports/configuration.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { ROW_ERROR_CODES } from '../../../schemas/imports/file-faults.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { validateWhole } from '../../testing/e2e/operations/clean-run.fixture.ts';
import { FAULTS } from './faults.ts';

const schemaId = 'sch_aaaaaaaaaaaaaaaaaaaaaaaa';
const configuration = importConfigurationSchema.parse(JSON.parse(read('schema.json').toString()));
const mapping = mappingSchema.parse(JSON.parse(read('mapping.json').toString()));
const { fields } = configuration.schema;

describe('the large file', () => {
  const bytes = read('earthquakes.csv');
  const text = bytes.toString();

  it('fits the limits of a preview', async () => {
    const { importFileBytes, importRows } = DEFAULT_LIMITS.plans.preview;
    expect(bytes.length).toBeLessThan(importFileBytes);
    expect((await validate(bytes)).rows).toBeLessThan(importRows);
  });

  it('has what makes a file hard to read', () => {
    expect(text).toContain('""M 2.0 - 4km W of Castaic, CA""\n');
    expect(text).toContain(',00620911,');
    expect(text).toMatch(/,\d{5}\.\d{18},/);
    expect(text).toContain('°');
    expect(text.split('\r\n')).toHaveLength(902);
  });

  it('is valid in every row', async () => {
    expect(await validate(bytes)).toEqual({ rows: 900, valid: 900, errors: [] });
  });
});

describe('the small files', () => {
  it('hold each row error code where faults.ts says, and nowhere else', async () => {
    const { rows, errors } = await validate(read('earthquakes-faulty.csv'));
    const expected = FAULTS.map(({ row, cell, code }) => ({ row, column: cell?.target ?? null, code }));
    expect(errors).toEqual(expected);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(ROW_ERROR_CODES));
    expect(rows).toBe(40);
  });

  it('are valid once corrected', async () => {
    expect(await validate(read('earthquakes-corrected.csv'))).toEqual({ rows: 40, valid: 40, errors: [] });
  });
});

describe('the schema', () => {
  it('has fields of every type', () => {
    expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(FIELD_TYPES.names));
  });
});

function read(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name));
}

/** The result that the service gets for a file under the demo's schema and mapping. */
async function validate(bytes: Buffer) {
  const header = await readHeader([bytes]);
  if (header.kind === 'fault') throw new Error('reading the header');
  const columns = mapping.columns.map(({ source, target }) => ({
    target,
    index: header.names.indexOf(source),
  }));
  const { split, results } = await validateWhole(bytes, { fields, columns, schemaId });
  return {
    rows: split.rows,
    valid: results.reduce((sum, { valid }) => sum + valid, 0),
    errors: results.flatMap(({ errors }) => errors.map(({ row, column, code }) => ({ row, column, code }))),
  };
}
