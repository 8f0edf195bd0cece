import { describe, expect, it } from 'vitest';
import { NO_CHOICES } from '../../schemas/imports/fix/findings.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { EXAMINED_BYTES_MAX, examine } from './examine.ts';

/** As a German spreadsheet saves it, below a title. */
const SPREADSHEET = Buffer.from(
  'Umsatz 2026;;\r\nOrt;Betrag;Tag\r\nMünchen;1,50;01.02.2026\r\n"Köln; Süd";"2 ""x""";02.02.2026\r\n',
  'latin1',
);

describe('examine', () => {
  it('returns the changes of a file, and the table after them', async () => {
    const undecided = await examine(SPREADSHEET);
    expect(undecided?.findings.map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
      ['encoding', true],
      ['separator', false],
      ['titles', true],
    ]);
    expect(undecided).toMatchObject({ refusal: { code: 'undecided', canBeRemoved: true }, table: null });
    const agreed = new Map([['encoding', true] as const, ['titles', true] as const]);
    const examined = await examine(SPREADSHEET, { choices: { agreed } });
    expect(examined?.changes).toEqual([
      { kind: 'encoding' },
      { kind: 'separator' },
      { kind: 'titles', lines: 1 },
    ]);
    expect(examined).toMatchObject({ separator: ';', header: { line: 2, lines: 1 }, refusal: null });
    expect(examined?.table).toMatchObject({ names: ['Ort', 'Betrag', 'Tag'], rowCount: 2 });
    expect([...(examined?.table?.rows() ?? [])]).toEqual([
      ['München', '1,50', '01.02.2026'],
      ['Köln; Süd', '2 "x"', '02.02.2026'],
    ]);
  });

  it('makes another table from other choices', async () => {
    const choices = { ...NO_CHOICES, encoding: 'Windows-1252', header: { line: 3, lines: 1 } } as const;
    const examined = await examine(SPREADSHEET, { choices });
    expect(examined?.choices).toBe(choices);
    expect(examined?.table).toMatchObject({ names: ['München', '1,50', '01.02.2026'], rowCount: 1 });
  });

  it('leaves a file that needs no change as it is', async () => {
    const bytes = Buffer.from('\ufeffcode,amount\n\nA-1,2\n');
    const examined = await examine(bytes);
    expect(examined).toMatchObject({ findings: [], changes: [], refusal: null });
    expect(examined?.table).toMatchObject({ names: ['code', 'amount'], rowCount: 1 });
    expect(examined?.table?.csv).toBe(bytes);
  });

  it('returns a refusal and no table if a change that is needed is declined', async () => {
    const examined = await examine(SPREADSHEET, { choices: { agreed: new Map([['encoding', false]]) } });
    expect(examined).toMatchObject({ refusal: { code: 'invalid_utf8', canBeRemoved: true }, table: null });
  });

  it('allows the rows of the plan Free unless another number is given', async () => {
    const rows = DEFAULT_LIMITS.plans.free.importRows;
    const bytes = Buffer.from(`code\n${'A-1\n'.repeat(rows + 1)}`);
    expect((await examine(bytes))?.findings).toMatchObject([{ kind: 'rows', count: rows + 1, limit: rows }]);
    expect((await examine(bytes, { rowsMax: rows + 1 }))?.findings).toEqual([]);
  });

  it('returns null for bytes that are no text', async () => {
    expect(await examine(Buffer.alloc(100))).toBeNull();
  });

  it('rejects a file over the bound without reading it', async () => {
    await expect(examine(new Uint8Array(EXAMINED_BYTES_MAX + 1))).rejects.toThrow(RangeError);
  });

  it('ends once its signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const bytes = Buffer.from(`code\n${'A-1\n'.repeat(1_000_000)}`);
    await expect(examine(bytes, { signal })).rejects.toThrow('enough');
  });
});
