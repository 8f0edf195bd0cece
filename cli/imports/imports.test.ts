import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { checklistConfigurationSchema } from '../../schemas/activate/configuration.ts';
import { importConfigurationSchema, mappingSchema } from '../../schemas/imports/configuration.ts';
import { CHECKLIST_FILE, CONFIGURATION_FILE, MAPPING_FILE } from '../file-examples.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

const ABSENT = '7d1f0c5e-4a52-4f0b-9a3e-2b7c8d9e0f1a';
const ROWS = 400;
const CSV = `Name,Age\n${Array.from({ length: ROWS }, (_, row) => `Marker ${row},${row}\n`).join('')}`;

const SCHEMA = {
  name: 'People',
  allowedOrigins: ['https://app.example.com'],
  schema: {
    version: 'svcimport.schema.v1',
    revision: 1,
    fields: [
      { key: 'name', type: 'text', required: true, maxLength: 40 },
      { key: 'age', type: 'integer', required: true },
    ],
  },
};
const MAPPING = {
  version: 'svcimport.mapping.v1',
  revision: 1,
  columns: [
    { source: 'Name', target: 'name' },
    { source: 'Age', target: 'age' },
  ],
};

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({
    limits: { workspace: { createdPerAddressHour: 100 }, plans: { preview: { imports: 20 } } },
  });
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc import on $runtime', (runtime) => {
  let project: ProjectDirectory;
  let schemaId: string;
  beforeEach(async () => {
    project = new ProjectDirectory(runtime, '0.4.0');
    write('schema.json', JSON.stringify(SCHEMA));
    write('mapping.json', JSON.stringify(MAPPING));
    write('people.csv', CSV);
    await project.json([
      ...['workspace', 'create', '--name', 'Imports', '--products', 'svcimport'],
      ...['--base-url', service.url],
    ]);
    ({ schemaId } = await project.json(['import', 'configure', '--config', 'schema.json']));
  });
  afterEach(() => project.dispose());

  function write(name: string, text: string | Buffer): void {
    writeFileSync(join(project.path, name), text);
  }

  const upload = (file = 'people.csv', ...more: readonly string[]) => [
    ...['import', 'upload', '--schema', schemaId, '--revision', '1', '--file', file],
    ...more,
  ];

  async function mapped(file: string): Promise<string> {
    const { importId } = await project.json(upload(file));
    await project.json(['import', 'map', '--import', importId, '--mapping', 'mapping.json']);
    return importId;
  }

  it('brings a file to ready, and shows counts and digests', async () => {
    const uploaded = await project.json(upload());
    expect(uploaded).toEqual({
      importId: expect.any(String),
      status: 'uploaded',
      byteLength: CSV.length,
      sha256: createHash('sha256').update(CSV).digest('hex'),
      failure: null,
      idempotencyKey: expect.stringMatching(/^cli-[0-9a-f]{64}$/),
      next: expect.stringContaining(` import map --import ${uploaded.importId}`),
    });
    const words = ['--import', uploaded.importId];
    const nextNow = async () => (await project.json(['import', 'status', ...words])).next;
    expect(await nextNow()).toBe(uploaded.next);
    expect((await project.json(['import', 'list'])).imports[0]).toMatchObject({
      importId: uploaded.importId,
    });
    const map = await project.json(['import', 'map', ...words, '--mapping', 'mapping.json']);
    expect(map.mappingRevision).toBe(1);
    expect(await nextNow()).toBe(map.next);
    const validated = await project.run(['import', 'validate', ...words, '--wait', '--json']);
    expect(validated.code).toBe(0);
    expect(JSON.parse(validated.stdout)).toMatchObject({
      status: 'ready',
      rows: { total: ROWS, valid: ROWS, invalid: 0, blank: 0 },
      validations: { used: 1 },
    });
    const again = await project.json(['import', 'validate', ...words]);
    expect(again).toMatchObject({ status: 'ready', validations: { used: 1 } });
    const binding = await project.json(['import', 'binding', ...words]);
    expect(binding).toMatchObject({ sourceSha256: uploaded.sha256, batchIds: { length: 4 } });
    const shown = await project.run(['import', 'status', ...words]);
    expect(shown.stdout).toMatch(/^import +\S+\nstatus +ready\n/);
    expect(validated.stdout + validated.stderr + shown.stdout).not.toContain('Marker');
  });

  it('exits with 8 for a file that needs a correction, and names no value of it', async () => {
    write('faulty.csv', 'Name,Age\nMarker,7\nMarker,old\n');
    const importId = await mapped('faulty.csv');
    const { code, stdout, stderr } = await project.run([
      'import',
      'validate',
      '--import',
      importId,
      '--wait',
    ]);
    expect(code).toBe(8);
    expect(stdout).toMatch(/age +not_integer +1/);
    expect(stdout + stderr).not.toMatch(/Marker|\bold\b/);
    for (const command of ['status', 'validate']) {
      const again = await project.run(['import', command, '--import', importId, '--wait', '--json']);
      const { status, validations, next } = JSON.parse(again.stdout);
      expect([again.code, status, validations.used]).toEqual([8, 'needs_correction', 1]);
      expect(next).toContain(` import errors --import ${importId}`);
    }
    const [name, age] = MAPPING.columns;
    const columns = [
      { ...name, target: age?.target },
      { ...age, target: name?.target },
    ];
    write('mapping.json', JSON.stringify({ ...MAPPING, revision: 2, columns }));
    await project.json(['import', 'map', '--import', importId, '--mapping', 'mapping.json']);
    const other = await project.json(['import', 'validate', '--import', importId, '--wait']);
    expect(other.validations.used).toBe(2);
  });

  it('lists each error with the line of the file, and no value of it', async () => {
    write('lines.csv', 'Name,Age\n"Marker\nof two lines",7\n\nMarker,old\n,older\nMarker,8\n');
    const importId = await mapped('lines.csv');
    await project.run(['import', 'validate', '--import', importId, '--wait']);
    const words = ['import', 'errors', '--import', importId];
    const listed = await project.json(words);
    expect(listed).toMatchObject({ importId, total: 3, next: expect.stringContaining('import upload') });
    expect(listed.errors.map(Object.values)).toEqual([
      [5, 2, 'age', 'not_integer', expect.any(String)],
      [6, 3, 'name', 'required', expect.any(String)],
      [6, 3, 'age', 'not_integer', expect.any(String)],
    ]);
    const shown = await project.run(words);
    expect(shown.stdout).toMatch(/^line +row +column +error +expected\n5 +2 +age +not_integer /);
    expect(JSON.stringify(listed) + shown.stdout + shown.stderr).not.toMatch(/Marker|\bold/);
  });

  it('says how many errors have no line, and that a valid file has none', async () => {
    write('many.csv', `Name,Age\n${',x\n'.repeat(700)}`);
    const many = await mapped('many.csv');
    await project.run(['import', 'validate', '--import', many, '--wait']);
    const listed = await project.json(['import', 'errors', '--import', many]);
    expect([listed.errors.length, listed.total, listed.errors.at(-1).line]).toEqual([1_000, 1_400, 501]);
    const shown = await project.run(['import', 'errors', '--import', many]);
    expect(shown.stdout).toContain('400 more errors are counted by import status, without a line.');
    const whole = await mapped('people.csv');
    await project.run(['import', 'validate', '--import', whole, '--wait']);
    const none = await project.run(['import', 'errors', '--import', whole]);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No row has an error.')]);
  });

  it('leads from errors that are not there yet to the status', async () => {
    const { importId } = await project.json(upload());
    expect(await project.failure(['import', 'errors', '--import', importId])).toMatchObject({
      code: 'state_conflict',
      next: expect.stringContaining(` import status --import ${importId}`),
    });
  });

  it('exits with 8 for a file that cannot be read as CSV', async () => {
    write('broken.csv', 'Name,Name\nMarker,7\n');
    write('separator.csv', 'Name;Marker\na;7\n');
    write('latin.csv', Buffer.from('Name\nJos\xe9\n', 'latin1'));
    write('empty.csv', 'Name\n\n');
    write('titles.csv', 'Orders of March\nMarker\nNo,Name\n1,Ada\n2,Bob\n');
    write('short.csv', 'Name,Age\nAda,7\nMarker\nBob,8\n');
    write('field.csv', `Name,Age\n${'Marker'.repeat(3_000)},7\n`);
    write('record.csv', `Name,Age\n${'"Marker",'.repeat(9_000)}\n`);
    write('rows.csv', `Name,Age\n${'Marker,1\n'.repeat(1_001)}`);
    const before = await project.json(['workspace', 'status']);
    for (const [name, code, place] of [
      ['broken.csv', 'duplicate_header', '(line 1, column 2)'],
      ['separator.csv', 'separator', 'semicolons'],
      ['latin.csv', 'invalid_utf8', '(line 2, byte 8)'],
      ['empty.csv', 'no_rows', 'no data rows'],
      [
        'titles.csv',
        'column_count',
        'Line 3 has 2 columns, the header in line 1 has 1. Is line 3 the header?',
      ],
      ['short.csv', 'column_count', 'Line 3 has 1 column, the header in line 1 has 2.'],
      ['field.csv', 'field_too_large', 'line 2'],
      ['record.csv', 'record_too_large', 'line 2'],
      ['rows.csv', 'too_many_rows', '1001 rows; the plan allows 1000'],
    ] as const) {
      const failure = await project.failure(upload(name));
      expect(failure).toMatchObject({ code, exitCode: 8, message: expect.stringContaining(place) });
      expect(failure.message).not.toContain('Marker');
      expect(failure.next, name).toMatch(/ import upload/);
    }
    expect((await project.json(['workspace', 'status'])).limits).toEqual(before.limits);
    expect((await project.json(upload('short.csv', '--allow-invalid'))).status).toBe('uploaded');
    // A name of one column can hold what separates columns elsewhere.
    write('alias.csv', 'Name | Alias\nAda\nBob\n');
    expect((await project.json(upload('alias.csv'))).status).toBe('uploaded');
  });

  it('prints an example of each file, which it takes', async () => {
    const print = async (words: readonly string[]) =>
      JSON.parse((await project.run([...words, '--example'])).stdout);
    expect(await print(['import', 'configure'])).toEqual(importConfigurationSchema.parse(CONFIGURATION_FILE));
    expect(await print(['import', 'map'])).toEqual(mappingSchema.parse(MAPPING_FILE));
    const checklist = checklistConfigurationSchema.parse(CHECKLIST_FILE);
    for (const verb of ['create', 'revise']) expect(await print(['activate', verb])).toEqual(checklist);
    write('faulty.json', '{"name":1,"schema":{}}');
    expect((await project.failure(['import', 'configure', '--config', 'faulty.json'])).message).toMatch(
      /name: expected string; allowedOrigins: missing, .+; schema\.version: missing, .+; schema\.revision: missing, .+; schema\.fields: missing/,
    );
  });

  it('takes JSON as editors of Windows write it, and says what else a file is', async () => {
    const text = `${JSON.stringify(SCHEMA)}\r\n`;
    const configure = ['import', 'configure', '--config'];
    write('bom.json', `\ufeff${text}`);
    expect((await project.json([...configure, 'bom.json'])).revision).toBe(1);
    expect((await project.json([...configure, '-'], { input: `\ufeff${text}` })).revision).toBe(1);
    write('utf16.json', Buffer.from(`\ufeff${text}`, 'utf16le'));
    write('latin1.json', Buffer.from(text.replace('People', 'Leute für uns'), 'latin1'));
    for (const [name, said] of [
      ['utf16.json', 'is UTF-16. Save it as UTF-8.'],
      ['latin1.json', 'is not UTF-8. Save it as UTF-8.'],
      ['people.csv', 'is not valid JSON.'],
    ] as const) {
      expect(await project.failure([...configure, name])).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(said),
      });
    }
  });

  it('uploads a file once, however often the command is repeated', async () => {
    const first = await project.json(upload());
    for (let repeat = 0; repeat < 6; repeat += 1) expect(await project.json(upload())).toEqual(first);
    write('people.csv', `${CSV}Marker,1\n`);
    const conflict = await project.failure(upload('people.csv', '--idempotency-key', first.idempotencyKey));
    expect(conflict).toMatchObject({ code: 'idempotency_conflict', exitCode: 1 });
    const other = await project.json(upload());
    expect(other.importId).not.toBe(first.importId);
  });

  it('refuses links, FIFOs, folders, devices and missing files', async () => {
    symlinkSync('people.csv', join(project.path, 'link.csv'));
    execFileSync('mkfifo', [join(project.path, 'fifo.csv')]);
    for (const file of ['link.csv', 'fifo.csv', '.', '/dev/zero', 'missing.csv']) {
      expect(await project.failure(upload(file)), file).toMatchObject({
        code: 'unreadable_file',
        exitCode: 2,
      });
    }
  });

  it('refuses a file that grows while it is read', async () => {
    write('growing.csv', '');
    const path = join(project.path, 'growing.csv');
    truncateSync(path, 60 * 1_024 * 1_024);
    const growing = setInterval(() => appendFileSync(path, 'Marker,1\n'), 1);
    // On a busy machine the file can be read between two changes, and then is too large for the plan.
    const codes: string[] = [];
    while (codes.length < 10 && codes.at(-1) !== 'file_changed') {
      codes.push((await project.failure(upload('growing.csv'))).code);
    }
    clearInterval(growing);
    expect(codes.at(-1)).toBe('file_changed');
  });

  it('exits with 6 for a file over the limit of the plan, and for a used-up limit', async () => {
    write('large.csv', `Name,Age\n${'Marker,1\n'.repeat(150_000)}`);
    expect(await project.failure(upload('large.csv'))).toMatchObject({
      code: 'payload_too_large',
      exitCode: 6,
    });
    for (const name of ['Second', 'Third']) write(`${name}.json`, JSON.stringify({ ...SCHEMA, name }));
    await project.json(['import', 'configure', '--config', 'Second.json']);
    expect(await project.failure(['import', 'configure', '--config', 'Third.json'])).toMatchObject({
      code: 'limit_reached',
      exitCode: 6,
      next: expect.stringMatching(/ workspace status$/),
    });
  });

  it('makes the next revision of a schema by its name, or by schemaId', async () => {
    expect(await project.json(['import', 'configure', '--config', 'schema.json'])).toMatchObject({
      revision: 1,
    });
    const second = { ...SCHEMA, schema: { ...SCHEMA.schema, revision: 2 } };
    write('second.json', JSON.stringify(second));
    expect(await project.json(['import', 'configure', '--config', 'second.json'])).toMatchObject({
      schemaId,
      revision: 2,
    });
    const renamed = { ...second, name: 'Renamed', schema: { ...SCHEMA.schema, revision: 3 } };
    write('renamed.json', JSON.stringify(renamed));
    expect((await project.failure(['import', 'configure', '--config', 'renamed.json'])).exitCode).toBe(2);
    write('renamed.json', JSON.stringify({ ...renamed, schemaId }));
    expect(await project.json(['import', 'configure', '--config', 'renamed.json'])).toMatchObject({
      schemaId,
    });
  });

  it('cancels only with --yes', async () => {
    const { importId } = await project.json(upload());
    const asked = await project.failure(['import', 'cancel', '--import', importId]);
    expect(asked).toMatchObject({ code: 'confirmation_required', exitCode: 3 });
    expect(asked.next).toMatch(new RegExp(` import cancel --import ${importId} --yes$`));
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect(await project.json(['import', 'cancel', '--import', importId, '--yes'])).toMatchObject({
        status: 'cancelled',
        next: expect.stringMatching(/ help import upload$/),
      });
    }
    expect((await project.run(['import', 'status', '--import', importId, '--wait'])).code).toBe(5);
    expect((await project.failure(['import', 'validate', '--import', importId])).exitCode).toBe(5);
  });

  it('exits with 5 for an import that does not exist, and with 2 for a wrong value', async () => {
    expect(await project.failure(['import', 'status', '--import', ABSENT])).toMatchObject({
      code: 'not_found',
      exitCode: 5,
      requestId: expect.stringMatching(/^req_/),
    });
    for (const verb of ['status', 'validate', 'binding', 'cancel', 'map']) {
      const more = { cancel: ['--yes'], map: ['--mapping', 'mapping.json'] }[verb] ?? [];
      const { code, next } = await project.failure(['import', verb, '--import', ABSENT, ...more]);
      expect([code, next], verb).toEqual(['not_found', expect.stringMatching(/ import list$/)]);
    }
    for (const words of [
      ['import', 'status', '--import', 'imp'],
      ['import', 'status'],
      upload().with(5, '0'),
      ['import', 'configure', '--config', 'people.csv'],
      ['import', 'map', '--import', ABSENT, '--mapping', 'missing.json'],
    ]) {
      expect((await project.failure(words)).exitCode, words.join(' ')).toBe(2);
    }
  });

  it('shows the progress of an upload on a terminal only', async () => {
    const large = `Name,Age\n${`${'Ada'.repeat(100)},7\n`.repeat(900)}`;
    const send = (name: string) => {
      write(name, `${large}${name},7\n`);
      return upload(name);
    };
    // Each state erases the one before, and the result erases the last one.
    const terminal = await project.inTerminal(80, 'A=1', send('one.csv').join(' '));
    const shown = terminal.split('\r\u001B[2K');
    expect(shown).toContainEqual(expect.stringMatching(/^Uploading: \d\d? %$/));
    expect(shown.slice(-2)).toEqual([
      'Uploading: 100 %',
      expect.stringMatching(/^import +\S+\r?\nstatus +uploaded/),
    ]);
    expect(await project.inTerminal(80, 'TERM=dumb', send('two.csv').join(' '))).not.toContain('Uploading');
    const quiet = await project.inTerminal(80, 'A=1', `${send('three.csv').join(' ')} --quiet`);
    expect(quiet).not.toContain('Uploading');
    const piped = await project.run(send('four.csv'));
    expect([piped.code, piped.stderr]).toEqual([0, expect.not.stringContaining('Uploading')]);
  });

  it('keeps the files of the folder private', async () => {
    const importId = await mapped('people.csv');
    await project.json(['import', 'validate', '--import', importId, '--wait']);
    const listing = execFileSync('find', [join(project.path, '.svc'), '-printf', '%m %f\n'], {
      encoding: 'utf8',
    });
    expect(listing.trim().split('\n').sort()).toEqual([
      ...['600 .gitignore', '600 schemas.json', '600 workspace.json', '700 .svc'],
    ]);
    expect(readFileSync(join(project.path, '.svc/schemas.json'), 'utf8')).not.toContain('Marker');
  });
});
