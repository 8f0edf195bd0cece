import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText, hostileBytes } from '../../csv/testing/arbitraries.ts';
import type { FixKind } from './findings.ts';
import { examined, kindsOf, readByService } from './fixed.fixture.ts';

/** `FIX_SEED=7` draws other files. */
const SEED = Number(process.env['FIX_SEED'] ?? 1);

/** Changes that a person may decline, and the file is accepted all the same. */
const OPTIONAL: readonly FixKind[] = ['separator', 'titles', 'spaces', 'emptyColumns', 'valueless'];

const decisions = fc
  .subarray([...OPTIONAL])
  .chain((asked) =>
    fc
      .tuple(...asked.map((kind) => fc.tuple(fc.constant(kind), fc.boolean())))
      .map((all) => Object.fromEntries(all)),
  );

/** Cells of Western European text, which every encoding has. */
const westernText = fc.string({ unit: fc.constantFrom(...'aé1"\n;,|\t '), maxLength: 8 });

/** A table with a header. No cell is empty: a column without values is a finding. */
function tableOf(text: fc.Arbitrary<string>) {
  return fc
    .record({
      columns: fc.integer({ min: 2, max: 5 }),
      rows: fc.integer({ min: 2, max: 6 }),
      texts: fc.infiniteStream(text),
    })
    .map(({ columns, rows, texts }) => {
      const next = () => `v${texts.next().value ?? ''}`;
      const header = Array.from({ length: columns }, (_, at) => `name ${'abcde'[at]}`);
      return [header, ...Array.from({ length: rows }, () => Array.from({ length: columns }, next))];
    });
}

/** The ways in which a program may write a table. */
function formOf(...encodings: readonly string[]) {
  return fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'),
    encoding: fc.constantFrom(...encodings),
    titles: fc.constantFrom([], ['Report'], ['Report', 'Spring']),
  });
}

const MARKED = ['utf8', 'utf8 mark', 'utf16le mark', 'utf16be mark'];
const anyForm = fc.oneof(
  fc.tuple(tableOf(cellText), formOf(...MARKED)),
  fc.tuple(tableOf(westernText), formOf(...MARKED, 'latin1', 'utf16le', 'utf16be')),
);

type Form = typeof anyForm extends fc.Arbitrary<readonly [infer _Table, infer Value]> ? Value : never;

function written(
  records: readonly (readonly string[])[],
  { separator, lineEnd, encoding, titles }: Form,
): Buffer {
  const quoted = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [...titles, ...records.map((cells) => cells.map(quoted).join(separator))];
  const text = `${encoding.endsWith('mark') ? '\ufeff' : ''}${lines.map((line) => line + lineEnd).join('')}`;
  if (encoding === 'latin1') return Buffer.from(text, 'latin1');
  if (encoding.startsWith('utf8')) return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding.startsWith('utf16be') ? bytes.swap16() : bytes;
}

/** Bytes of which most belong to CSV, as a file of several lines. */
const anyBytes = fc.array(hostileBytes, { maxLength: 4 }).map((parts) => Buffer.concat(parts));

describe('a file that was corrected', () => {
  it('has every cell of the table that a program wrote in another form', () => {
    fc.assert(
      fc.property(anyForm, ([records, form]) => {
        const bytes = written(records, form);
        // A few letters do not tell an encoding.
        const choices = form.encoding === 'latin1' ? ({ encoding: 'Windows-1252' } as const) : {};
        // One field above two columns of texts can be a header as well.
        const decided = form.titles.length > 0 ? { titles: true } : {};
        expect(readByService(examined(bytes, decided, choices).corrected ?? bytes)).toEqual(records);
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  it('needs no further change', () => {
    fc.assert(
      fc.property(anyForm, ([records, form]) => {
        const { corrected } = examined(written(records, form));
        if (corrected !== null) expect(examined(corrected)).toMatchObject({ refusal: null, corrected: null });
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('is accepted by the service for any bytes and any decisions', () => {
    fc.assert(
      fc.property(anyBytes.filter(isText), decisions, (bytes, choices) => {
        const { corrected } = examined(bytes, choices);
        if (corrected !== null) expect(refusalOf(corrected)).toBeOneOf([null, 'no_header']);
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  it('is announced to be refused if the service refuses it', () => {
    fc.assert(
      fc.property(anyBytes.filter(isText), decisions, (bytes, choices) => {
        const { corrected, refusal } = examined(bytes, choices);
        if (refusal !== null && !refusal.canBeRemoved) expect(refusalOf(bytes)).not.toBeNull();
        if (refusal === null && corrected === null) {
          expect(refusalOf(bytes)).toBeOneOf([null, 'no_header']);
        }
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  it('has the same cells where no change was announced', () => {
    fc.assert(
      fc.property(anyBytes.filter(isText), (bytes) => {
        const before = readByService(bytes);
        fc.pre(typeof before !== 'string');
        const examination = examined(bytes);
        const announced = kindsOf(examination).filter((kind) => !kind.startsWith('('));
        fc.pre(announced.every((kind) => kind === 'titles'));
        const [titles] = examination.findings.filter(({ kind }) => kind === 'titles');
        const after = readByService(examination.corrected ?? bytes);
        expect(after).toEqual(before.slice(titles?.isAgreed === true ? titles.count : 0));
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});

function isText(bytes: Uint8Array): boolean {
  try {
    return examined(bytes) !== null;
  } catch {
    return false;
  }
}

function refusalOf(bytes: Uint8Array): string | null {
  const read = readByService(bytes);
  if (typeof read === 'string') return read;
  return read.length === 1 ? 'no_rows' : null;
}
