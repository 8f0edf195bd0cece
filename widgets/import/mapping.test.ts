import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assign, missing, recall, remember, suggest } from './mapping.ts';

const field = (key: string, required = false) => ({ key, required });

describe('suggest', () => {
  it.each([
    ['Event ID', 'event_id'],
    ['eventId', 'event_id'],
    ['  EVENT-ID ', 'eventId'],
    ['Größe', 'grosse'.replace('ss', 'ß')],
    ['Prénom', 'prenom'],
    ['Event', 'event_id'],
    ['Place name', 'place'],
  ])('sends the column %j to %s', (header, key) => {
    expect(suggest([header], [field(key)])).toEqual([key]);
  });

  it.each([
    ['Mag', 'magnitude'],
    ['', 'name'],
    ['---', 'name'],
    ['ID', 'identity'],
  ])('leaves the column %j out of %s', (header, key) => {
    expect(suggest([header], [field(key)])).toEqual([null]);
  });

  it('prefers the same name, and lets required fields choose before others', () => {
    expect(suggest(['Event date', 'Date'], [field('date')])).toEqual([null, 'date']);
    expect(suggest(['Name'], [field('first_name'), field('last_name', true)])).toEqual(['last_name']);
  });

  it('suggests each field once, whatever the names are', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(names, names, (headers, keys) => {
        const mapping = suggest(
          headers,
          keys.map((key) => field(key)),
        );
        const targets = mapping.filter((target) => target !== null);
        expect(mapping).toHaveLength(headers.length);
        expect(new Set(targets).size).toBe(targets.length);
        expect(targets.every((target) => keys.includes(target))).toBe(true);
      }),
    );
  });
});

describe('recall', () => {
  it('leaves out the columns of a field that is gone', () => {
    remember('sch_1', ['a', 'b'], ['first', 'second']);
    expect(recall('sch_1', ['a', 'b'], [field('second'), field('a')])).toEqual([null, 'second']);
  });
});

describe('assign', () => {
  it('moves a target to another column', () => {
    expect(assign(['a', null, 'b'], 1, 'a')).toEqual([null, 'a', 'b']);
    expect(assign(['a', null], 0, null)).toEqual([null, null]);
  });
});

describe('missing', () => {
  it('names the required fields without a column', () => {
    expect(missing(['a'], [field('a', true), field('b', true), field('c')])).toEqual(['b']);
  });
});
