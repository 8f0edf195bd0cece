import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellText,
  chunkingsOf,
  encodeCsv,
  hostileBytes,
  nearlyUtf8,
  style,
} from '../../../schemas/csv/testing/arbitraries.ts';
import { cutAt } from '../../../schemas/csv/testing/chunkings.ts';
import { fixture, fixtureNames } from '../../../schemas/csv/testing/fixtures.ts';
import { unpackArtifact } from '../../../schemas/imports/artifact.ts';
import type { ColumnMapping, Field } from '../../../schemas/imports/configuration.ts';
import { PARTITION_RECORDS_MAX } from '../splitting/partition-cutter.ts';
import { inlineJobs } from './inline-jobs.fixture.ts';
import { rowsOf, textFields, validateFile } from './testing/validate-file.ts';

const jobs = inlineJobs();

/** Columns of text under a header that no cell text can collide with. */
const table = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc.record({
    header: fc.constant(Array.from({ length: columns }, (_, index) => `h${index}`)),
    records: fc.array(fc.array(cellText, { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 12,
    }),
    copies: fc.integer({ min: 1, max: 30 }),
  }),
);

/** A field of any type, which may refuse most of what it gets. */
const anyField = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    required: fc.boolean(),
    maxLength: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    type: fc.constantFrom('text' as const, 'integer' as const, 'decimal' as const),
    required: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('date' as const, 'boolean' as const), required: fc.boolean() }),
);

/** Cells that the types accept, among cells that they do not. */
const anyCell = fc.oneof(
  cellText,
  fc.constantFrom('', '0', '-7', '12345678901234567890', '1.50', 'true', 'false', '2026-01-31', '2026-02-31'),
);

describe('a whole file', () => {
  it('comes back as it was written, whatever the cells and the writer', async () => {
    await fc.assert(
      fc.asyncProperty(table, style, fc.boolean(), async ({ header, records, copies }, how, bom) => {
        const written = Array.from({ length: copies }, () => records).flat();
        const csv = encodeCsv([header, ...written], how);
        const bytes = bom ? Buffer.concat([Buffer.from('\ufeff'), csv]) : csv;
        const validated = await validateFile(jobs, { bytes, ...textFields(header.length) });
        if (validated.kind === 'fault') throw new Error(validated.fault.code);
        const expected = written.map((cells) => cells.map((cell) => (cell === '' ? null : cell)));
        expect(rowsOf(validated.results)).toEqual(expected);
        expect(validated.rows).toBe(written.length);
      }),
      { numRuns: 300 },
    );
  });

  it('is accounted for to the last line: rows = valid + invalid + blank', async () => {
    const random = fc
      .oneof(hostileBytes, nearlyUtf8)
      .map((tail) => Buffer.concat([Buffer.from('a,b\n'), tail]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(random, hostileBytes), async (bytes) => {
        const validated = await validateFile(jobs, { bytes, ...textFields(1) });
        if (validated.kind === 'fault') return;
        const sum = (pick: 'valid' | 'invalid' | 'blank') =>
          validated.results.reduce((all, part) => all + part[pick], 0);
        expect(validated.rows).toBe(sum('valid') + sum('invalid'));
        expect(rowsOf(validated.results)).toHaveLength(validated.rows);
        // Outside quotes the file has no other lines than the header, rows and blank lines.
        if (!bytes.includes('"')) {
          const lines = bytes.toString().replace(/\n$/, '').split('\n').length;
          expect(1 + validated.rows + validated.blank).toBe(lines);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each(fixtureNames())('gives an answer, not an exception, for %s', async (name) => {
    const bytes = fixture(name);
    const validated = await validateFile(jobs, { bytes, ...textFields(1) });
    if (validated.kind === 'fault') expect(validated.fault.code).not.toBe('internal');
    else expect(rowsOf(validated.results)).toHaveLength(validated.rows);
  });

  it('keeps numbers in text byte for byte, and refuses them as numbers rather than rounding', async () => {
    const bytes = fixture('numbers');
    const text = await validateFile(jobs, { bytes, ...textFields(2) });
    const typed: Field[] = [
      { key: 'code', type: 'integer', required: true },
      { key: 'amount', type: 'decimal', required: true },
    ];
    const columns: ColumnMapping[] = [
      { target: 'code', index: 0 },
      { target: 'amount', index: 1 },
    ];
    const numbers = await validateFile(jobs, { bytes, fields: typed, columns });
    if (text.kind === 'fault' || numbers.kind === 'fault') throw new Error('splitting the fixture');
    expect(rowsOf(text.results)).toEqual([
      ['007', '12.50'],
      ['021000021', '0.1'],
      ['1e5', '1e5'],
      ['0x10', '0x10'],
      ['12345678901234567890', '12345678901234567890.123456789'],
    ]);
    expect(rowsOf(numbers.results).map((row) => row !== null)).toEqual([false, false, false, false, true]);
  });

  it('never needs more artifact bytes than the split announced, under any mapping', async () => {
    const shape = fc.record({
      columns: fc.integer({ min: 1, max: 5 }),
      fields: fc.array(anyField, { minLength: 1, maxLength: 6 }),
    });
    const file = shape.chain(({ columns, fields }) =>
      fc.record({
        fields: fc.constant(fields.map((field, index): Field => ({ ...field, key: `f${index}` }))),
        targets: fc.shuffledSubarray(
          fields.map((_, index) => index),
          { minLength: 0, maxLength: Math.min(columns, fields.length) },
        ),
        header: fc.constant(Array.from({ length: columns }, (_, index) => `h${index}`)),
        records: fc.array(fc.array(anyCell, { minLength: columns, maxLength: columns + 1 }), {
          minLength: 1,
          maxLength: 10,
        }),
        how: style,
      }),
    );
    await fc.assert(
      fc.asyncProperty(file, async ({ fields, targets, header, records, how }) => {
        const columns = targets.map((target, index) => ({ target: `f${target}`, index }));
        const validated = await validateFile(jobs, {
          bytes: encodeCsv([header, ...records], how),
          fields,
          columns,
        });
        if (validated.kind === 'fault') throw new Error(validated.fault.code);
        const bytes = validated.results.reduce(
          (sum, result) => sum + unpackArtifact(result.artifact).length,
          0,
        );
        expect(bytes).toBeLessThanOrEqual(validated.artifactBytesBound);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['control characters', '\u0001'],
    ['quotes', '""'],
    ['backslashes', '\\'],
    ['four-byte characters', '😀'],
    ['line ends', '\n'],
    ['plain text', 'x'],
  ])('has a bound on artifacts that is close where every cell is full of %s', async (_, unit) => {
    const row = `"${unit.repeat(2000)}","${unit.repeat(2000)}"\n`;
    const bytes = Buffer.from(`a,b\n${row.repeat(250)}`);
    const validated = await validateFile(jobs, { bytes, ...textFields(2) });
    if (validated.kind === 'fault') throw new Error(validated.fault.code);
    const used = validated.results.reduce((sum, result) => sum + unpackArtifact(result.artifact).length, 0);
    expect(used).toBeLessThanOrEqual(validated.artifactBytesBound);
    expect(used).toBeGreaterThan(0.99 * validated.artifactBytesBound);
  });

  it('gives the same batch ids for every chunking and every order of partitions', async () => {
    const cells = Array.from({ length: 3 * PARTITION_RECORDS_MAX + 7 }, (_, row) => [
      `${row}`,
      `"ä\r\n,${row % 7}`,
    ]);
    const bytes = encodeCsv([['a', 'b'], ...cells], { lineEnd: '\r\n', quoteAll: false });
    const file = { bytes, ...textFields(2) };
    const expected = await validateFile(jobs, file);
    if (expected.kind === 'fault') throw new Error(expected.fault.code);
    expect(new Set(expected.results.map((result) => result.batchId)).size).toBe(4);
    await fc.assert(
      fc.asyncProperty(
        chunkingsOf(bytes),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        async (cuts, order) => {
          expect(
            await validateFile(jobs, { ...file, chunks: cutAt(bytes, cuts), order: () => order }),
          ).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps the ids of unchanged partitions when a row elsewhere is corrected', async () => {
    const rows = (changed: string) => `a\n${'x\n'.repeat(100)}${changed}\n${'y\n'.repeat(150)}`;
    const ids = async (text: string) => {
      const validated = await validateFile(jobs, { bytes: Buffer.from(text), ...textFields(1) });
      if (validated.kind === 'fault') throw new Error(validated.fault.code);
      return validated.results.map((result) => result.batchId);
    };
    const before = await ids(rows('old'));
    const after = await ids(rows('a longer value'));
    expect(after.map((id, index) => id === before[index])).toEqual([true, false, true]);
  });
});
