import { describe, expect, it } from 'vitest';
import { FIELD_TYPES } from '../fields/registry.ts';
import { writerOf } from './apply.ts';
import { ended } from './ended.fixture.ts';
import { MADE_COLUMNS, type MadeColumn } from './made-columns.fixture.ts';
import { readingsOf } from './readings-of.ts';
import type { ColumnReadings, Reading } from './values.ts';

function readings({ values, field }: MadeColumn, nothing: readonly string[] = []): ColumnReadings {
  return ended(readingsOf(values, field, { nothing }));
}

/** Returns the value that the service delivers for each cell; undefined for one that it refuses, or that the engine reports. */
function delivered(column: MadeColumn, reading: Reading, nothing: readonly string[]) {
  const write = writerOf({ target: 'f', field: column.field, reading, nothing });
  const read = FIELD_TYPES.reader({ key: 'f', ...column.field });
  return column.values.map((value) => {
    const [text, fault] = write(value);
    const typed = read(text);
    if (fault === null) expect(typed.kind).toBe('value');
    return fault === null && typed.kind === 'value' ? typed.value : undefined;
  });
}

describe.each(MADE_COLUMNS.map((column) => [column.name, column] as const))('a column of %s', (_, column) => {
  it('arrives as its person means it', () => {
    expect(delivered(column, column.reading, column.nothing)).toEqual(column.arrive);
  });

  it('offers the reading of its person among those that fit most', () => {
    const { readings: offered, nothing } = readings(column, column.nothing);
    const wanted = JSON.stringify(delivered(column, column.reading, column.nothing));
    const all = offered.length === 0 ? [column.reading] : offered.map(({ reading }) => reading);
    expect(all.map((reading) => JSON.stringify(delivered(column, reading, column.nothing)))).toContain(
      wanted,
    );
    const left = nothing.map(({ word }) => word);
    for (const word of column.nothing) expect(left).not.toContain(word.trim());
    const before = readings(column).nothing.map(({ word }) => word);
    for (const word of column.nothing) expect(before).toContain(word.trim());
  });

  it('is asked about if a choice could be wrong, and chooses nothing that is', () => {
    const { chosen } = readings(column);
    expect(chosen === null).toBe(column.isAsked);
    if (chosen === null) return;
    const without = delivered(column, chosen, []);
    column.arrive.forEach((value, at) => {
      if (without[at] !== undefined && value !== null) expect(without[at]).toEqual(value);
    });
  });
});

describe('all made columns', () => {
  it('are ready right after the choices, but for what a person has to correct', () => {
    expect(MADE_COLUMNS.length).toBeGreaterThanOrEqual(200);
    const ready = MADE_COLUMNS.filter((column) => {
      const values = delivered(column, column.reading, column.nothing);
      return values.every((value, at) => value !== undefined && value === column.arrive[at]);
    });
    expect(ready.length / MADE_COLUMNS.length).toBeGreaterThanOrEqual(0.9);
  });
});
