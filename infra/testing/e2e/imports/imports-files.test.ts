import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../../../schemas/csv/testing/fixtures.ts';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'first', type: 'text', required: false },
  { key: 'second', type: 'text', required: false },
];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
});

afterAll(async () => {
  await customer.service.dispose();
});

const columns = (...sources: readonly string[]) =>
  sources.map((source, index) => ({ source, target: index === 0 ? 'first' : 'second' }));

/** Uploads, maps and validates a file with these column names. Returns the result of each stage. */
async function imported(file: Uint8Array, sources: readonly string[], pieces = [file]) {
  const reserved = await customer.reserve(file);
  const answer = await customer.upload(reserved, pieces);
  expect(answer?.status).toBe(200);
  const { importId } = reserved;
  const mapped = await customer.agent(
    'POST',
    `/imports/${importId}/mapping`,
    mapping(1, columns(...sources)),
  );
  if (mapped.status !== 200) return { importId, uploaded: answer?.body.status, status: mapped.body };
  return { importId, uploaded: answer?.body.status, status: await customer.validated(importId) };
}

/** The source cells of every row, as the owner sees them. */
async function cells(importId: string): Promise<string[][]> {
  const { body } = await customer.owner('GET', `/imports/${importId}/rows`);
  return body.rows.map(({ source }: { source: string[] }) => source);
}

describe('a file that cannot be read', () => {
  it.each([
    ['a NUL byte', 'a,b\n1,2\n3,\0\n', 'nul_byte', 3, 10],
    ['a NUL byte in quotes', 'a,b\n1,"\n\0"\n', 'nul_byte', 3, 8],
    ['an unclosed quote', 'a,b\n1,2\n3,"4\n5,6\n', 'unclosed_quote', 3, 10],
    ['a quote in an unquoted field', `a,b\n1,37°36'37.8"N\n`, 'stray_quote', 2, 17],
    ['text behind a closing quote', 'a,b\n"a"b,c\n', 'stray_quote', 2, 7],
    ['spaces before a quote', 'a,b\n1, "2"\n', 'stray_quote', 2, 7],
    ['a lone CR', 'a,b\n1,2\r3,4\n', 'lone_cr', 2, 7],
    ['a lone CR at its end', 'a,b\n1,2\r', 'lone_cr', 2, 7],
    ['a header alone', 'a,b\n', 'no_rows', null, null],
    ['a header and blank lines', 'a,b\n\n\r\n', 'no_rows', null, null],
  ])('fails with its code and place: %s', async (_what, text, code, line, byteOffset) => {
    const { importId, uploaded, status } = await imported(Buffer.from(text), ['a', 'b']);
    expect(uploaded).toBe('uploaded');
    expect(status).toMatchObject({ status: 'failed', failure: { code, line, byteOffset } });
    expect(status.failure).toEqual({ code, line, byteOffset });
    await expect.poll(() => customer.blobNames(importId), SOON).toEqual([]);
  });

  it.each([
    ['nothing', '', 'no_header', null, null],
    ['a byte order mark alone', '\ufeff', 'no_header', null, null],
    ['blank lines alone', '\n\r\n\n', 'no_header', null, null],
    ['blank lines alone, many', '\n'.repeat(200_000), 'no_header', null, null],
    ['a header name that is empty', '\na,\n1,2\n', 'empty_header', 2, 1],
    ['a title above the header', 'Orders,,\na,b,c\n1,2,3\n', 'empty_header', 1, 0],
    ['a header name twice', 'a,a\n1,2\n', 'duplicate_header', 1, 0],
    ['a header behind a mark, twice', '\ufeffa,"a"\n1,2\n', 'duplicate_header', 1, 3],
    ['101 columns', `a,b${',c'.repeat(99)}\n1,2\n`, 'too_many_columns', 1, 0],
    ['11,000 columns', `\n${'a column,'.repeat(11_000)}z\n1,2\n`, 'too_many_columns', 2, 1],
    [
      'a header longer than a record',
      `a,${'"b",'.repeat(50)}${'b'.repeat(65_536)}\n1,2\n`,
      'header_too_large',
      1,
      0,
    ],
    ['a header name longer than a field', `a,${'b'.repeat(16_385)}\n1,2\n`, 'header_too_large', 1, 0],
    ['a quote in the header', 'a,b "c"\n1,2\n', 'stray_quote', 1, 4],
    ['a header whose quote is not closed', `a,"b\n${'1,2\n'.repeat(30_000)}`, 'unclosed_quote', 1, 2],
    ['a NUL byte in the header', 'a,b\0\n1,2\n', 'nul_byte', 1, 3],
    ['a lone CR behind the header', 'a,b\r1,2\r', 'lone_cr', 1, 3],
  ])('fails at the end of the upload by its header: %s', async (_what, text, code, line, byteOffset) => {
    const file = Buffer.from(text);
    const reserved = await customer.reserve(file);
    const failure = { code, line, byteOffset };
    const { importId } = reserved;
    for (let time = 0; time < 2; time += 1) {
      const answer = await customer.upload(reserved, [file]);
      expect([answer?.status, answer?.body.status, answer?.body.failure]).toEqual([200, 'failed', failure]);
    }
    const { body } = await customer.agent('GET', `/imports/${importId}`);
    expect(body).toMatchObject({ status: 'failed', failure, mappingRevision: null });
    const seen = await customer.owner('GET', `/imports/${importId}`);
    expect([seen.status, seen.body.headers, seen.body.failure]).toEqual([200, null, failure]);
    const mapped = await customer.agent(
      'POST',
      `/imports/${importId}/mapping`,
      mapping(1, columns('a', 'b')),
    );
    expect(refusal(mapped)).toEqual([409, 'state_conflict']);
    await expect.poll(() => customer.blobNames(importId), SOON).toEqual([]);
  });

  it.each([
    ['a broken character', Buffer.from('a,b\n1,\xe4\n', 'latin1'), 2, 6],
    ['a character cut off at the end', Buffer.from('a,b\n1,2\n\xe2\x82', 'latin1'), 3, 8],
    ['a surrogate', Buffer.from('a,b\n1,\xed\xa0\x80\n', 'latin1'), 2, 6],
    ['UTF-16 with a mark', fixture('utf16be-bom'), 1, 0],
  ])('fails at the end of the upload: %s', async (_what, file, line, byteOffset) => {
    const reserved = await customer.reserve(file);
    const failure = { code: 'invalid_utf8', line, byteOffset };
    const answer = await customer.upload(reserved, [file]);
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed', failure } });
    const { body } = await customer.agent('GET', `/imports/${reserved.importId}`);
    expect(body.failure).toEqual(failure);
    expect(await customer.upload(reserved, [file])).toMatchObject({
      status: 200,
      body: { status: 'failed' },
    });
  });

  it.each(['utf16le', 'utf16be'])(
    'is UTF-16 without a mark, which is told by its NUL bytes: %s',
    async (name) => {
      const file = fixture(name);
      const answer = await customer.upload(await customer.reserve(file), [file]);
      expect(answer?.body).toMatchObject({ status: 'failed', failure: { code: 'nul_byte', line: 1 } });
    },
  );
});

describe('a mapping', () => {
  it('is refused by the index of a source that is no header name, at once and without the name', async () => {
    const file = Buffer.from('a,b\n1,2\n');
    const reserved = await customer.reserve(file);
    expect((await customer.upload(reserved, [file]))?.body).toMatchObject({
      status: 'uploaded',
      failure: null,
    });
    const path = `/imports/${reserved.importId}/mapping`;
    for (const source of ['B', 'b ', '__proto__', 'private name']) {
      const refused = await customer.agent('POST', path, mapping(1, columns('a', source)));
      expect(refusal(refused)).toEqual([400, 'bad_request']);
      expect(refused.body.error.message).toContain('columns[1].source');
      expect(refused.body.error.message).not.toContain(source);
    }
    const { body } = await customer.agent('POST', path, mapping(1, columns('a', 'b')));
    expect(body).toMatchObject({ status: 'uploaded', mappingRevision: 1 });
  });
});

describe('a file in the forms that are allowed', () => {
  const PLAIN = 'ä,b\r\n1,"x\r\n""y"""\r\n\r\n,\n2,€\n';
  const ROWS = [
    ['1', 'x\r\n"y"'],
    ['', ''],
    ['2', '€'],
  ];

  it.each([
    ['in one piece', Buffer.from(PLAIN), 0],
    ['a byte a piece', Buffer.from(PLAIN), 1],
    ['a byte a piece, behind a mark', Buffer.concat([BOM, Buffer.from(PLAIN)]), 1],
    ['behind a mark in pieces of two bytes', Buffer.concat([BOM, Buffer.from(PLAIN)]), 2],
  ])('is the same however it arrives: %s', async (_what, file, size) => {
    const pieces =
      size === 0
        ? [file]
        : Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
            file.subarray(at * size, (at + 1) * size),
          );
    const { importId, status } = await imported(file, ['ä', 'b'], pieces);
    expect(status).toMatchObject({
      status: 'ready',
      rows: { total: 4, valid: 3, invalid: 0, blank: 1 },
      failure: null,
    });
    expect(await cells(importId)).toEqual(ROWS);
  });

  it('can have a quoted header behind a mark', async () => {
    const { importId, status } = await imported(Buffer.concat([BOM, Buffer.from('"a","b"\n1,2')]), [
      'a',
      'b',
    ]);
    expect(status.status).toBe('ready');
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.headers).toEqual(['a', 'b']);
  });

  it.each([
    ['none', 'a,b\n1,2', 0],
    ['one', 'a,b\n1,2\n', 0],
    ['two', 'a,b\n1,2\n\n', 1],
  ])('can end with line ends: %s', async (_what, text, blank) => {
    const { status } = await imported(Buffer.from(text), ['a', 'b']);
    expect(status).toMatchObject({
      status: 'ready',
      rows: { total: 1 + blank, valid: 1, invalid: 0, blank },
    });
  });

  it.each([
    ['65,534 blank lines', '\n'.repeat(65_534), 65_534],
    ['a mark and more than 64 KiB of blank lines', `\ufeff${'\r\n'.repeat(40_000)}`, 40_000],
  ])('can begin with any number of blank lines: %s', async (_what, before, blank) => {
    const file = Buffer.from(`${before}a,b\n1,2\n`);
    const { importId, uploaded, status } = await imported(file, ['a', 'b']);
    expect(uploaded).toBe('uploaded');
    expect(status).toMatchObject({
      status: 'ready',
      rows: { total: blank + 1, valid: 1, invalid: 0, blank },
    });
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.headers).toEqual(['a', 'b']);
    expect(await cells(importId)).toEqual([['1', '2']]);
  });

  it('counts a line of commas as a row, and blank lines before the header too', async () => {
    const { importId, status } = await imported(Buffer.from('\n\na,b\n,\n""," "\n\n1,2\n'), ['a', 'b']);
    expect(status).toMatchObject({ status: 'ready', rows: { total: 6, valid: 3, invalid: 0, blank: 3 } });
    const { body } = await customer.owner('GET', `/imports/${importId}/rows`);
    expect(body.rows.map(({ row, line, values }: never) => [row, line, values])).toEqual([
      [1, 4, { first: null, second: null }],
      [2, 5, { first: null, second: ' ' }],
      [3, 7, { first: '1', second: '2' }],
    ]);
  });

  it('keeps leading zeros, exponents and long numbers as they stand', async () => {
    const texts = ['007', '021000021', '1e5', '0x10', '12345678901234567890', '=1+1', '1.10'];
    const file = Buffer.from(`a,b\n${texts.map((text) => `${text},${text}\n`).join('')}`);
    const { importId } = await imported(file, ['a', 'b']);
    expect(await cells(importId)).toEqual(texts.map((text) => [text, text]));
    const { body } = await customer.owner('GET', `/imports/${importId}/rows`);
    expect(body.rows.map(({ values }: never) => values['first'])).toEqual(texts);
  });
});

describe('hostile header names', () => {
  it.each([
    ['names of prototypes', '__proto__', 'constructor'],
    ['paths of prototypes', 'a.__proto__.b', 'toString'],
    ['formulas', '=cmd|1', '@SUM(1)'],
    ['16 KiB', 'x'.repeat(16_384), '-1'],
    ['16 KiB of three bytes a character', '€'.repeat(5_461), 'y'.repeat(16_384)],
    ['marks of direction', '\u202eeman', '\u200fb'],
    ['line ends and quotes', 'a\r\n"b"', ' '],
    ['two forms of one letter', '\u00e9', 'e\u0301'],
  ])('are names like any other: %s', async (_what, first, second) => {
    const header = [first, second].map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
    const { importId, status } = await imported(Buffer.from(`${header}\n1,2\n`), [first, second]);
    expect(status).toMatchObject({ status: 'ready', rows: { valid: 1 } });
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.headers).toEqual([first, second]);
    expect(body.mapping.columns).toEqual(columns(first, second));
    const { body: list } = await customer.owner('GET', `/imports/${importId}/rows`);
    expect(list.rows[0].values).toEqual({ first: '1', second: '2' });
  });

  it('leave the service as it was', async () => {
    const { status } = await imported(Buffer.from('a,b\n1,2\n'), ['a', 'b']);
    expect(status).toMatchObject({ status: 'ready' });
  });
});
