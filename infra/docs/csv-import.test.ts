import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FILE_FAULTS } from '../../schemas/imports/file-faults.ts';

const text = readFileSync(new URL('csv-import.md', import.meta.url), 'utf8');

it('documents every fault of a file as the contract has it, and no other', () => {
  const rows = [...text.matchAll(/^\| `([a-z_0-9]+)` +\| ([A-Z].+?) +\|$/gm)];
  expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toEqual(FILE_FAULTS);
});
