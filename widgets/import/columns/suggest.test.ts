import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../api.ts';
import { suggest } from './suggest.ts';

/** Four times as long as on two busy cores. */
const SUGGEST_MS_MAX = 1_000;

const field = (key: string, required = false): Field => ({ key, type: 'text', required });
const typed = (key: string, type: string, more: Partial<Field> = {}): Field => ({
  ...field(key),
  type,
  ...more,
});

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
    ['E-mail Address', 'email'],
    ['Mail', 'email'],
    ['Given Name', 'first_name'],
    ['Surname', 'lastName'],
    ['Telephone', 'phone'],
    ['Phone Number', 'tel'],
    ['Post code', 'zip'],
    ['Invoice No.', 'invoice_number'],
    ['Qty', 'quantity'],
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
    ['Last Login', 'last_name'],
    ['No Show', 'number'],
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

  it.each([
    ['Buchungstag', ['Buchungstag', 'Datum']],
    ['BUCHUNGS-TAG', ['Buchungstag']],
    ['日期', ['日期']],
    ['交易日期', ['日期']],
    ['ﾃﾞｰﾀ', ['データ']],
    ['اِسم', ['اسم']],
    ['Дата операции', ['дата операции']],
    ['วันที่โอน', ['วันที่']],
    ['नाम', ['नाम']],
    ['Ημερομηνία', ['ημερομηνια']],
  ])('sends the column %j to a field with the other names %j', (header, aliases) => {
    expect(suggest([header], [{ ...field('f'), aliases }])).toEqual(['f']);
    expect(suggest([header], [{ ...field('f'), label: String(aliases[0]) }])).toEqual(['f']);
  });

  it.each([
    ['नमी', 'नाम'],
    ['か', 'が'],
    ['日', '日期'],
    ['Tag', 'Buchungstag'],
  ])('leaves the column %j out of a field with the other name %j', (header, alias) => {
    expect(suggest([header], [{ ...field('f'), aliases: [alias] }])).toEqual([null]);
  });

  it('asks where two fields fit, and where two columns do', () => {
    const total = typed('total', 'decimal');
    const amount = typed('amount', 'decimal');
    expect(suggest(['Total Amount'], [total, amount], [['12.50']])).toEqual([null]);
    const day = typed('day', 'date', { aliases: ['Datum'] });
    const valued = typed('valued', 'date', { aliases: ['Datum'] });
    expect(suggest(['Datum'], [day, valued], [['01.02.2026']])).toEqual([null]);
    expect(suggest(['交易日期', '记账日期'], [{ ...day, aliases: ['日期'] }])).toEqual([null, null]);
  });

  it('passes over a column whose first cells are of another type', () => {
    const sample = [
      ['31.01.2026', 'EUR', '1.234,56 €'],
      ['01.02.2026', 'EUR', '-7,00 €'],
    ];
    const fields = [typed('amount', 'decimal')];
    expect(suggest(['Amount date', 'Amount currency', 'Amount value'], fields, sample)).toEqual([
      null,
      null,
      'amount',
    ]);
    expect(suggest(['Amount'], fields, [['31.01.2026']])).toEqual([null]);
    expect(suggest(['Amount'], fields, [[''], null])).toEqual(['amount']);
  });

  it.each([
    [
      'date',
      [
        '2026-01-31',
        '31.01.26',
        '1/2/2026 10:00',
        '20260131',
        'Oct 6, 2022',
        '2026年1月31日',
        '08/2020',
        '٣١/٠١/٢٠٢٦',
      ],
    ],
    [
      'decimal',
      ['12', '-$7,971.39', '44,10 €', '(5.00)', '99,50-', '4.60%', '1E+15', "1'234", 'kr 12', '١٢٫٥'],
    ],
    ['integer', ['0', '007', '1,000']],
    ['boolean', ['ja', 'Oui', 'TRUE', '1', 'x']],
    ['text', ['anything', '31.01.2026']],
  ])('takes cells for a %s that are written like %j', (type, cells) => {
    for (const cell of cells)
      expect([cell, ...suggest(['f'], [typed('f', type)], [[cell]])]).toEqual([cell, 'f']);
  });

  it.each([
    ['date', ['12.50', 'Ada', 'n/a']],
    ['decimal', ['31.01.2026', 'Ada', 'October 6, 2022']],
  ])('takes no cells for a %s that are written like %j', (type, cells) => {
    for (const cell of cells)
      expect([cell, ...suggest(['f'], [typed('f', type)], [[cell]])]).toEqual([cell, null]);
  });

  it('takes many words for no true and false', () => {
    const sample = ['a', 'b', 'c', 'd'].map((cell) => [cell]);
    expect(suggest(['f'], [typed('f', 'boolean')], sample)).toEqual([null]);
  });

  it('compares a hundred columns with two thousand names in a fraction of a second', () => {
    const aliases = (at: number) => Array.from({ length: 20 }, (_, name) => `other name ${name} of ${at}`);
    const fields = Array.from({ length: 100 }, (_, at) => ({ ...field(`f${at}`), aliases: aliases(at) }));
    const headers = Array.from({ length: 100 }, (_, at) => `Name ${at % 20} of ${at}`);
    const sample = Array(20).fill(headers.map(() => 'x'.repeat(16_384)));
    const start = performance.now();
    expect(suggest(headers, fields, sample)).toHaveLength(100);
    expect(performance.now() - start).toBeLessThan(SUGGEST_MS_MAX);
  });
});
