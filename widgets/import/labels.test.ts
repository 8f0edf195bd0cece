import { describe, expect, it } from 'vitest';
import { LABELS, labelsOf } from './labels.ts';

describe('the texts of a page', () => {
  it('show no English for one row where the page has a text for many', () => {
    const ready = '{0} Zeilen sind bereit';
    expect(labelsOf(LABELS, { ready })).toEqual({ ...LABELS, ready, readyOne: ready });
    const readyOne = '1 Zeile ist bereit';
    expect(labelsOf(LABELS, { ready, readyOne })).toEqual({ ...LABELS, ready, readyOne });
    expect(labelsOf(LABELS, undefined)).toEqual(LABELS);
  });
});
