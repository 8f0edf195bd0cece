import { describe, expect, it } from 'vitest';
import { relabel } from './labels.ts';

describe('relabel', () => {
  const known = { ready: '{0} rows are ready', back: 'Back' };

  it('takes the texts of the page, and leaves out what is no text or not known', () => {
    expect(relabel(known, { back: 'Zurück', ready: 7, unknown: 'x' })).toEqual({ ...known, back: 'Zurück' });
    expect(relabel(known, undefined)).toEqual(known);
  });
});
