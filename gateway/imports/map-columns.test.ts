import { describe, expect, it } from 'vitest';
import type { Field } from '../../schemas/imports/configuration.ts';
import { mapColumns } from './map-columns.ts';

const FIELDS: readonly Field[] = [
  { key: 'code', type: 'text', required: true },
  { key: 'note', type: 'text', required: false },
];

function mapping(...columns: (readonly [source: string, target: string])[]) {
  return {
    version: 'svcimport.mapping.v1' as const,
    revision: 1,
    columns: columns.map(([source, target]) => ({ source, target })),
  };
}

describe('mapColumns', () => {
  it('returns the position of each source', () => {
    expect(mapColumns(mapping(['b', 'code'], ['a', 'note']), FIELDS, ['a', 'b'])).toEqual([
      { target: 'code', index: 1 },
      { target: 'note', index: 0 },
    ]);
  });

  it.each([
    ['is not in the header', ['a']],
    ['is of a file whose header cannot be read', null],
  ])('names the index of a source that %s, and not the source', (_case, header) => {
    const act = () => mapColumns(mapping(['a', 'note'], ['private', 'code']), FIELDS, header);
    expect(act).toThrow(`columns[${header === null ? 0 : 1}].source`);
    expect(act).not.toThrow('private');
  });

  it('names the index of an unknown target, and the required fields without a source', () => {
    expect(() => mapColumns(mapping(['a', 'code'], ['b', 'other']), FIELDS, ['a', 'b'])).toThrow(
      'columns[1].target',
    );
    expect(() => mapColumns(mapping(['a', 'note']), FIELDS, ['a'])).toThrow('code');
  });
});
