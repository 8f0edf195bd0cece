import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { productRoutes } from '../../../service/gateway.ts';

const MATRIX = readFileSync(new URL('authorization.matrix.txt', import.meta.url), 'utf8');

// `authorization.test.ts`, which takes a minute, says if the rows are right.
it('authorization.matrix.txt has a row for each route', () => {
  const [, ...rows] = MATRIX.trimEnd().split('\n');
  const lines = productRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(rows.map((row) => row.split(' ', 2).join(' ')).sort()).toEqual(lines.sort());
});
