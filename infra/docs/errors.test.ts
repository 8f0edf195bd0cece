import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERRORS } from '../../schemas/base/errors.ts';
import { isRetriable } from '../../schemas/base/retriable-codes.ts';

it('documents every error code as the registry has it, and no other', () => {
  const text = readFileSync(new URL('errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z_]+)` +\| (\d+) +\| (yes|no) +\| (.+?) +\|$/gm)];
  const documented = Object.fromEntries(
    rows.map(([, code, status, retriable, meaning]) => [
      code,
      { status: Number(status), meaning, retriable: retriable === 'yes' },
    ]),
  );
  const registry = Object.entries(ERRORS).map(([code, entry]) => [
    code,
    { ...entry, retriable: isRetriable(code) },
  ]);
  expect(documented).toEqual(Object.fromEntries(registry));
});
