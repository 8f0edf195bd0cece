import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import type { ChosenColumn } from '../../../schemas/imports/values/apply.ts';
import { BROWSER_TARGETS } from '../../shared/oldest-browsers.ts';
import { countChanges, editsOf, readColumn, writeColumns } from './main.ts';

const GZIP_BYTES_MAX = 12 * 1_024;

const NEVER = new AbortController().signal;

describe('the module of values', () => {
  it('leads from the cells of a bank to those of the schema, and to the changes of the reservation', async () => {
    const cells = ['1.234,56', '-12,00', 'k.A.', '12.0'];
    const field = { type: 'decimal', required: false, precision: 12, scale: 2 } as const;
    const nothing = ['k.A.'];
    const { readings } = await readColumn(cells, field, { nothing }, NEVER);
    const [best] = readings;
    expect(best).toMatchObject({ reading: { kind: 'number', decimal: ',' }, fits: 2, outCells: 1 });
    const columns: ChosenColumn[] = [
      { target: 'amount', field, cells, nothing, reading: { kind: 'number', decimal: ',' } },
    ];
    const written = await writeColumns(columns, NEVER);
    const edits = editsOf();
    edits.edit('amount', 3, '12.00');
    expect(await countChanges(columns, written, editsOf(edits.log), NEVER)).toEqual([
      { kind: 'numbers', column: 'amount', cells: 2 },
      { kind: 'nothing', column: 'amount', cells: 1 },
      { kind: 'edited', column: 'amount', cells: 1 },
    ]);
  });

  it('ends with its signal', async () => {
    const cells = Array.from({ length: 10_000 }, (_, at) => `${at % 28}.${at % 12}.${at}`);
    const work = readColumn(
      cells,
      { type: 'date', required: false },
      {},
      AbortSignal.abort(new Error('gone')),
    );
    await expect(work).rejects.toThrow('gone');
  });

  it('is loaded alone, and is small', async () => {
    const built = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        target: BROWSER_TARGETS,
        minify: true,
        lib: { entry: `${import.meta.dirname}/main.ts`, formats: ['es'], fileName: 'values' },
        rolldownOptions: { output: { minify: true, comments: false } },
      },
    });
    const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
    expect(chunks).toHaveLength(1);
    const [chunk] = chunks;
    const code = chunk?.type === 'chunk' ? chunk.code : '';
    expect(code).toContain('listopad');
    expect(gzipSync(code).length).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  });
});
