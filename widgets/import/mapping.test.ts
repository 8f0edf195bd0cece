import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assign, missing, recall, remember, suggest } from './mapping.ts';

const field = (key: string, required = false) => ({ key, required });

describe('suggest', () => {
  it.each([
    ['Event ID', 'event_id'],
    ['eventId', 'event_id'],
    ['  EVENT-ID ', 'eventId'],
    ['Größe', 'groesse'],
    ['GRÖSSE', 'grosse'],
    ['Prénom', 'prenom'],
    ['Pre\u0301nom', 'prenom'],
    ['Zażółć', 'zazolc'],
    ['Đường', 'duong'],
    ['İSİM', 'isim'],
    ['adı', 'adi'],
    ['ＮＡＭＥ', 'name'],
    ['E\u00admail', 'email'],
    ['\ufeffname', 'name'],
    ['first\u200bname', 'first_name'],
    ['Nombre de l’élève', 'nombre_eleve'],
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
    // Letters of other scripts that look like these.
    ['nаmе', 'name'],
    ['नाम', 'name'],
  ])('leaves the column %j out of %s', (header, key) => {
    expect(suggest([header], [field(key)])).toEqual([null]);
  });

  it('prefers the same name, with its accents, to others', () => {
    expect(suggest(['Event date', 'Date'], [field('date')])).toEqual([null, 'date']);
    expect(suggest(['Prénom', 'Prenom'], [field('prenom')])).toEqual([null, 'prenom']);
  });

  it.each([
    [['Email Opt-in', 'Email Address'], ['email']],
    [['Unit price', 'Total price'], ['price']],
    [['Name'], ['first_name', 'last_name']],
    [['Pre\u0301nom', 'Prénom'], ['prenom']],
    [['Name 1', 'Name 2'], ['name']],
  ])('chooses none of several that fit as well: %j for %j', (headers, keys) => {
    const fields = keys.map((key) => field(key, true));
    expect(suggest(headers, fields)).toEqual(headers.map(() => null));
  });

  it('chooses among the columns and fields that have no better partner', () => {
    const fields = ['email', 'name', 'street_name'].map((key) => field(key));
    expect(suggest(['Email', 'Email Opt-in', 'Name', 'Street'], fields)).toEqual([
      'email',
      null,
      'name',
      'street_name',
    ]);
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
