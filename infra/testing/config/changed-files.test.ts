import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testsOf } from './changed-files.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

describe('testsOf', () => {
  it('finds the tests beside a page, which import nothing of it', () => {
    expect(testsOf('widgets/console/pages/keys/keys-page.tsx', ROOT)).toContain(
      'widgets/console/pages/keys/keys.test.ts',
    );
  });

  it('finds the end-to-end test of each product', () => {
    const products = globSync('processors/*/fold.ts', { cwd: ROOT })
      .map((file) => file.split('/')[1]!)
      .filter((folder) => folder !== 'runtime');
    expect(products).toContain('activate');
    const without = products.filter(
      (product) => !testsOf(`gateway/${product}/new.ts`, ROOT).some((file) => file.includes('/e2e/')),
    );
    expect(without).toEqual([]);
  });

  it('finds nothing for a file at the root', () => {
    expect(testsOf('README.md', ROOT)).toEqual([]);
  });
});
