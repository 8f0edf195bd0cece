import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import { chunkingsOf, hostileBytes } from '../../../schemas/csv/testing/arbitraries.ts';
import { bytewise, cutAt, everyChunking, inReusedMemory } from '../../../schemas/csv/testing/chunkings.ts';
import { fixture, fixtureNames } from '../../../schemas/csv/testing/fixtures.ts';
import { PARTITION_BYTES_MAX, PARTITION_RECORDS_MAX } from './partition-cutter.ts';
import { type Chunks, type SplitExpectations, splitFile } from './split.ts';

/** Of three fields of text. */
const ROW_BOUND = 16;

function expectations(bytes: Uint8Array, changes: Partial<SplitExpectations> = {}): SplitExpectations {
  return {
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax: 1000,
    rowBound: ROW_BOUND,
    ...changes,
  };
}

function split(text: string | Uint8Array, changes: Partial<SplitExpectations> = {}, chunks?: Chunks) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return splitFile(chunks ?? [bytes], expectations(bytes, changes));
}

async function partitionsOf(text: string | Uint8Array, changes: Partial<SplitExpectations> = {}) {
  const result = await split(text, changes);
  if (result.kind === 'fault') throw new Error(result.fault.code);
  return result.partitions;
}

function fault(code: string, line: number | null, byteOffset: number | null) {
  return { kind: 'fault', fault: { code, line, byteOffset } };
}

describe('splitFile', () => {
  it.each([
    ['quoted', 3, 0],
    ['quoted-crlf', 3, 0],
    ['mixed-line-ends', 3, 0],
    ['no-trailing-newline', 2, 0],
    ['one-trailing-newline', 2, 0],
    ['two-trailing-newlines', 2, 1],
    ['bom-quoted-header', 1, 0],
    ['blank-lines-everywhere', 2, 6],
    ['one-column', 3, 1],
    ['commas', 2, 0],
    ['ragged', 4, 0],
  ])('counts rows and blank lines of %s', async (name, rows, blank) => {
    expect(await split(fixture(name))).toMatchObject({ kind: 'split', rows, blank });
  });

  it.each([
    ['empty', fault('no_header', null, null)],
    ['bom-only', fault('no_header', null, null)],
    ['blank-lines-only', fault('no_header', null, null)],
    ['spaces-only', fault('no_rows', null, null)],
    ['header-only', fault('no_rows', null, null)],
    ['header-and-blank-lines', fault('no_rows', null, null)],
    ['empty-header', fault('empty_header', 1, 0)],
    ['duplicate-header', fault('duplicate_header', 1, 0)],
    ['lone-cr', fault('lone_cr', 2, 7)],
    ['nul-in-quotes', fault('nul_byte', 3, 9)],
    ['text-after-quote', fault('stray_quote', 3, 11)],
    ['unclosed-quote', fault('unclosed_quote', 3, 10)],
    ['utf16le', fault('nul_byte', 1, 1)],
    ['utf16le-bom', fault('invalid_utf8', 1, 0)],
    ['invalid-utf8', fault('invalid_utf8', 3, 12)],
    ['truncated-utf8', fault('invalid_utf8', 3, 11)],
  ])('refuses %s', async (name, expected) => {
    expect(await split(fixture(name))).toEqual(expected);
  });

  it('gives the same for every split point of every fixture', async () => {
    for (const name of fixtureNames()) {
      const bytes = fixture(name);
      const expected = await split(bytes);
      for (const chunks of everyChunking(bytes)) {
        expect(await split(bytes, {}, inReusedMemory(chunks)), name).toEqual(expected);
      }
    }
  });

  it('takes chunks that arrive later', async () => {
    async function* later() {
      for (const chunk of bytewise(fixture('quoted'))) {
        await Promise.resolve();
        yield chunk;
      }
    }
    expect(await split(fixture('quoted'), {}, later())).toEqual(await split(fixture('quoted')));
  });

  it('allows as many rows as the plan, and names the first one beyond', async () => {
    const file = 'a\n"x\ny"\n\n2\n3\n';
    expect(await split(file, { rowsMax: 3 })).toMatchObject({ kind: 'split', rows: 3, blank: 1 });
    expect(await split(file, { rowsMax: 2 })).toEqual(fault('too_many_rows', 6, 11));
    expect(await split(`${file}\n\n`, { rowsMax: 3 })).toMatchObject({ rows: 3, blank: 3 });
  });

  it('reports the first fault in file order', async () => {
    expect(await split('a,a\n1\0')).toEqual(fault('duplicate_header', 1, 0));
    expect(await split('a,"b\n1\0')).toEqual(fault('nul_byte', 2, 6));
    expect(await split('a\n1\n2\n3\0', { rowsMax: 1 })).toEqual(fault('too_many_rows', 3, 4));
    expect(await split('a\n1\n2\0\n', { rowsMax: 1 })).toEqual(fault('nul_byte', 3, 5));
    expect(await split(Buffer.from('a"\n\xff', 'latin1'))).toEqual(fault('invalid_utf8', 2, 3));
  });

  it('skips and counts any number of blank lines before the header', async () => {
    const blank = '\n'.repeat(2 * RECORD_BYTES_MAX);
    expect(await split(`${blank}a\n1\n`)).toMatchObject({
      kind: 'split',
      rows: 1,
      blank: 2 * RECORD_BYTES_MAX,
      partitions: [{ firstLine: 2 * RECORD_BYTES_MAX + 2 }],
    });
  });

  it('throws when the bytes are not those that were announced, even where they are faulty', async () => {
    const message = 'not those that were announced';
    await expect(split('a\n1\n', { sha256: '0'.repeat(64) })).rejects.toThrow(message);
    await expect(split('a\n1\n', { byteLength: 5 })).rejects.toThrow(message);
    await expect(split('a\0', { sha256: '0'.repeat(64) })).rejects.toThrow(message);
  });
});

describe('partitions', () => {
  it('hold at most 100 records', async () => {
    const rows = (count: number) => `a\n${'1\n'.repeat(count)}`;
    expect((await partitionsOf(rows(PARTITION_RECORDS_MAX))).length).toBe(1);
    expect((await partitionsOf(rows(PARTITION_RECORDS_MAX + 1))).map((range) => range.rows)).toEqual([
      100, 1,
    ]);
  });

  it('end before their record bytes would pass 256 KiB, line ends not counted', async () => {
    const quarter = 'x'.repeat(PARTITION_BYTES_MAX / 4);
    expect((await partitionsOf(`a\n${`${quarter}\r\n`.repeat(4)}y\r\n`)).map((range) => range.rows)).toEqual([
      4, 1,
    ]);
    expect(
      (await partitionsOf(`a\n${`${quarter}\n`.repeat(3)}y\n${quarter}\n`)).map((range) => range.rows),
    ).toEqual([4, 1]);
  });

  it('give a larger record a separate partition', async () => {
    const large = 'x'.repeat(PARTITION_BYTES_MAX + 1);
    expect(
      (await partitionsOf(`a\n1\n${large}\n\n2\n3\n`)).map(({ rows, blank }) => ({ rows, blank })),
    ).toEqual([
      { rows: 1, blank: 0 },
      { rows: 1, blank: 1 },
      { rows: 2, blank: 0 },
    ]);
  });

  it('keep blank lines with the partition before them, and the first ones with the first', async () => {
    const file = `\na\n\n\n${'1\n'.repeat(100)}\r\n\n2\n`;
    expect(await partitionsOf(file)).toEqual([
      { index: 0, start: 3, end: 208, firstRow: 1, firstLine: 3, rows: 100, blank: 4 },
      { index: 1, start: 208, end: 210, firstRow: 101, firstLine: 107, rows: 1, blank: 0 },
    ]);
  });

  it('cover everything behind the header without gap, and account for every line', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileBytes.map((bytes) => Buffer.concat([Buffer.from('\r\nh,"i\n"\n'), bytes])),
        fc.nat(),
        async (bytes, seed) => {
          const result = await split(bytes, {}, cutAt(bytes, [seed % (bytes.length + 1)]));
          if (result.kind === 'fault') return;
          expect(result.partitions[0]?.start).toBe(9);
          expect(result.partitions.at(-1)?.end).toBe(bytes.length);
          let row = 1;
          for (const [index, range] of result.partitions.entries()) {
            expect(range).toMatchObject({ index, firstRow: row });
            expect(range.start).toBe(result.partitions[index - 1]?.end ?? 9);
            expect(range.firstLine).toBe(
              bytes.subarray(0, range.start).toString('latin1').split('\n').length,
            );
            row += range.rows;
          }
          expect(result.rows).toBe(row - 1);
          const blank = result.partitions.reduce((sum, range) => sum + range.blank, 0);
          expect(result.blank).toBe(blank + 1);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('are the same for every chunking of hostile bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileBytes.chain((bytes) => fc.tuple(fc.constant(bytes), chunkingsOf(bytes))),
        async ([bytes, cuts]) => {
          expect(await split(bytes, {}, inReusedMemory(cutAt(bytes, cuts)))).toEqual(await split(bytes));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('the bound on artifacts', () => {
  it('charges a row that cannot become values only what its null takes', async () => {
    const bound = async (file: string) =>
      ((await split(file)) as { artifactBytesBound: number }).artifactBytesBound;
    expect(await bound('a,b\n1\n')).toBe('[null]'.length + 1);
    expect(await bound(`a\n${'x'.repeat(RECORD_BYTES_MAX + 1)}\n`)).toBe('[null]'.length + 1);
  });
});
