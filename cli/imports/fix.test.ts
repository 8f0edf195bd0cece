import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGuide } from '../../infra/docs/guide-code.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { CONFIGURATION_FILE } from '../file-examples.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

/** An export of a spreadsheet: a title, semicolons, Windows-1252, and a column without a name. */
const EXPORTED = Buffer.from(
  'Marker of March\nName;Seats;\nJos\xe9 M\xfcller;3;\nAndr\xe9 Lef\xe8vre;4;\n;;\n',
  'latin1',
);

const CORRECTED = 'Name,Seats\nJosé Müller,3\nAndré Lefèvre,4\n';

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc import upload --fix on $runtime', (runtime) => {
  let project: ProjectDirectory;
  let upload: readonly string[];
  beforeAll(async () => {
    project = new ProjectDirectory(runtime, '0.4.0');
    write('schema.json', JSON.stringify(CONFIGURATION_FILE));
    write('export.csv', EXPORTED);
    await project.json([
      ...['workspace', 'create', '--name', 'Fixes', '--products', 'svcimport', '--base-url', service.url],
    ]);
    const { schemaId } = await project.json(['import', 'configure', '--config', 'schema.json']);
    upload = ['import', 'upload', '--schema', schemaId, '--revision', '1', '--file'];
  });
  afterAll(() => project?.dispose());

  function write(name: string, content: string | Buffer): void {
    writeFileSync(join(project.path, name), content);
  }

  /** The findings that a decision is missing about. */
  const openIn = (stdout: string): string[] =>
    JSON.parse(stdout).fix.changes.flatMap((each: { change: string; isOpen: boolean }) =>
      each.isOpen ? [each.change] : [],
    );

  const importsUsed = async () => (await project.json(['workspace', 'status'])).limits.svcimport.imports.used;

  it.each([
    ['semicolons', 'undecided', 'Orders 2026\n\nName;Seats\nAda;1\nBob;2\n'],
    ['tabs', 'undecided', 'Orders\nName\tSeats\nAda\t1\nBob\t2\n'],
    ['bars', 'undecided', 'Orders\nName|Seats\nAda|1\nBob|2\n'],
    ['a comma in the title', 'column_count', 'Orders, all\nName;Seats\nAda;1\nBob;2\n'],
  ])(
    'refuses a title above a table with another separator, and uses no import: %s',
    async (_, code, content) => {
      const before = await importsUsed();
      write('titled.csv', content);
      const refused = await project.failure([...upload, 'titled.csv']);
      expect(refused).toMatchObject({ code, exitCode: 8 });
      expect(refused.message).toContain('Remove lines above the header: 1');
      expect(refused.next).toMatch(/--file titled\.csv --fix$/);
      expect(await importsUsed()).toBe(before);
    },
  );

  it('leads from the refusal of a file to an import of the corrected one', async () => {
    const refused = await project.failure([...upload, 'export.csv']);
    expect(refused).toMatchObject({ code: 'invalid_utf8', exitCode: 8 });
    expect(refused.next).toMatch(/ import upload .*--file export\.csv --fix$/);

    const open = await project.run([...upload, 'export.csv', '--fix', '--save', 'look.csv', '--json']);
    expect([open.code, open.stderr]).toEqual([3, '']);
    expect(JSON.parse(open.stdout).fix).toMatchObject({ digest: null, sha256: null });
    expect(openIn(open.stdout)).toEqual(['encoding', 'titles']);
    const decided = ['--fix', '--with', 'encoding,titles'];
    const asked = await project.run([...upload, 'export.csv', ...decided, '--save', 'look.csv', '--json']);
    expect([asked.code, asked.stderr]).toEqual([3, '']);
    const { fix, next } = JSON.parse(asked.stdout);
    expect(fix).toMatchObject({ encoding: 'Windows-1252', headerLine: 2, rows: 2 });
    expect(fix.changes).toContainEqual({
      change: 'titles',
      isMade: true,
      isOpen: false,
      lines: [],
      count: 1,
      line: 1,
      text: 'Remove lines above the header: 1',
    });
    expect(asked.stdout).not.toMatch(/Marker|Name|Jos/);
    expect(readFileSync(join(project.path, 'look.csv'), 'utf8')).toBe(CORRECTED);
    expect(await importsUsed()).toBe(0);

    const words = next.slice(next.indexOf('import upload')).split(' ');
    const sent = await project.json(words);
    expect(sent).toMatchObject({ status: 'uploaded', sha256: sha256Hex(Buffer.from(CORRECTED)), fix });
    expect(await project.json(words)).toEqual(sent);
    expect(await importsUsed()).toBe(1);
    const status = ['import', 'status', '--import', sent.importId];
    expect((await project.json(status)).changes).toEqual([
      { kind: 'encoding' },
      { kind: 'separator' },
      { kind: 'titles', lines: 1 },
      { kind: 'emptyColumns' },
      { kind: 'emptyRows', rows: 1 },
    ]);
    const shown = await project.run(status);
    expect(shown.stdout).toMatch(/sender says +Lines above the header were removed \(1 line\)/);
  });

  it('sends nothing for a digest of other changes, and never replaces a file', async () => {
    const before = await importsUsed();
    const decided = ['--fix', '--with', 'encoding,titles'];
    const other = await project.run([
      ...[...upload, 'export.csv', ...decided, '--accept', 'a'.repeat(64), '--json'],
    ]);
    expect(other.code).toBe(3);
    write('kept.csv', 'kept');
    expect(await project.failure([...upload, 'export.csv', ...decided, '--save', 'kept.csv'])).toMatchObject({
      exitCode: 2,
    });
    expect(readFileSync(join(project.path, 'kept.csv'), 'utf8')).toBe('kept');
    expect(await importsUsed()).toBe(before);
  });

  it('leaves changes out or adds them as the caller says', async () => {
    write('short.csv', 'Name,Seats,Active\nAda,3,true\nBob,4,true\nEve,5,true\nIda,6\n,,\n');
    const changes = async (...more: string[]) => {
      const { stdout } = await project.run([...upload, 'short.csv', '--fix', ...more, '--json']);
      return Object.fromEntries(
        JSON.parse(stdout).fix.changes.map((each: { change: string; isMade: boolean }) => [
          each.change,
          each.isMade,
        ]),
      );
    };
    expect(await changes()).toMatchObject({ emptyRows: true, fill: false });
    expect(await changes('--with', 'fill', '--without', 'emptyRows')).toMatchObject({
      emptyRows: false,
      fill: true,
    });
    const left = await project.failure([...upload, 'short.csv']);
    expect(left).toMatchObject({ code: 'column_count', message: expect.stringContaining('Fill short rows') });
    expect(left.next).toMatch(/ --fix$/);
    const asked = await project.run([...upload, 'short.csv', '--fix', '--without', 'fill,notes', '--json']);
    const { digest } = JSON.parse(asked.stdout).fix;
    const accepted = await project.failure([
      ...[...upload, 'short.csv', '--fix', '--without', 'fill,notes', '--accept', digest],
    ]);
    expect(accepted).toMatchObject({ code: 'column_count', exitCode: 8 });
    expect(await project.failure([...upload, 'short.csv', '--fix', '--with', 'magic'])).toMatchObject({
      exitCode: 2,
    });
    expect(await project.failure([...upload, 'short.csv', '--with', 'fill'])).toMatchObject({ exitCode: 2 });
  });

  it('reads the table and the sign between fields that the caller names', async () => {
    write('two.csv', 'Name~Seats\nAda~3\nBob~4\n\nName~Rooms\nEve~5\nIda~6\n');
    const options = ['--fix', '--separator', '~', '--table'];
    const second = await project.run([
      ...upload,
      'two.csv',
      ...options,
      '2',
      '--save',
      'second.csv',
      '--json',
    ]);
    expect(readFileSync(join(project.path, 'second.csv'), 'utf8')).toBe('Name,Rooms\nEve,5\nIda,6\n');
    expect(JSON.parse(second.stdout).next).toMatch(/ --separator '?~'? --table 2 --fix --accept /);
    for (const more of [
      [...options, '3'],
      ['--fix', '--separator', 'a'],
    ]) {
      expect(await project.failure([...upload, 'two.csv', ...more])).toMatchObject({ exitCode: 2 });
    }
  });

  it('names the lines of each table of a file of several, and asks although the file could be sent', async () => {
    write('tables.csv', 'Name,Seats\nAda,3\nBob,4\n\nName,Rooms\nEve,5\nIda,6\n');
    const asked = await project.run([...upload, 'tables.csv', '--fix', '--json']);
    expect(asked.code).toBe(3);
    expect(openIn(asked.stdout)).toContain('tables');
    expect(JSON.parse(asked.stdout).fix.tables).toEqual([
      { table: 1, firstLine: 1, lastLine: 3, isRead: false },
      { table: 2, firstLine: 5, lastLine: 7, isRead: false },
    ]);
    const second = await project.run([...upload, 'tables.csv', '--fix', '--table', '2']);
    expect(second.stdout).toMatch(/table 1 +lines 1 to 3\n *table 2 +lines 5 to 7, which are read\n/);
    const declined = [...upload, 'tables.csv', '--fix', '--without', 'tables,noHeader'];
    expect(await project.json(declined)).toMatchObject({ status: 'uploaded' });
  });

  it('asks whether names have aliases behind a bar, and keeps one column if the caller says so', async () => {
    write('alias.csv', 'Name | Alias\nAda | Countess\nBob | Bo\n');
    const asked = await project.failure([...upload, 'alias.csv']);
    expect([asked.code, asked.next]).toEqual(['separator', expect.stringMatching(/ --fix$/)]);
    const kept = [...upload, 'alias.csv', '--fix', '--without', 'separator,noHeader'];
    expect(await project.json(kept)).toMatchObject({ status: 'uploaded' });
  });

  it('refuses a decision about a change that the file does not have, and sends nothing', async () => {
    const before = await importsUsed();
    write('plain.csv', 'Name,Seats\nAda,3\nBob,4\n');
    for (const [file, option, kind] of [
      ['plain.csv', '--with', 'notes'],
      ['plain.csv', '--without', 'fill'],
      ['plain.csv', '--with', 'noHeader'],
      ['export.csv', '--with', 'notes'],
      ['plain.csv', '--encoding', 'Windows-1252'],
      ['export.csv', '--encoding', 'Shift_JIS'],
      ['plain.csv', '--keep', '2'],
      ['plain.csv', '--leave-out', '4-5'],
    ] as const) {
      const refused = await project.failure([...upload, file, '--fix', option, kind]);
      expect([file, refused.exitCode]).toEqual([file, 2]);
      expect(refused.message).toContain(`${option} ${kind.slice(0, 1)}`);
    }
    expect((await project.failure([...upload, 'export.csv', '--fix', '--with', 'notes'])).message).toMatch(
      /the file does not need it\. It has: .*titles/,
    );
    expect(await importsUsed()).toBe(before);
  });

  it('takes decisions about changes and single lines from a file, and refuses what is not one', async () => {
    write('sums.csv', 'Name,Seats\nAda,3\nTotal,3\nBob,4\nTotal,7\n');
    const failure = await project.failure([...upload, 'sums.csv']);
    expect(failure).toMatchObject({ code: 'undecided', exitCode: 8 });
    expect(failure.findings).toEqual([{ change: 'notes', count: 2, line: null }]);
    const asked = await project.run([...upload, 'sums.csv', '--fix', '--json']);
    expect(JSON.parse(asked.stdout).fix.changes).toMatchObject([
      { change: 'notes', isOpen: true, lines: [3, 5] },
    ]);
    write('decisions.json', JSON.stringify({ leaveOut: [5], keep: [3] }));
    const decided = ['--fix', '--decisions', 'decisions.json', '--save', 'summed.csv', '--json'];
    const { stdout } = await project.run([...upload, 'sums.csv', ...decided]);
    expect(JSON.parse(stdout).next).toMatch(/ --decisions decisions\.json --fix --accept /);
    expect(readFileSync(join(project.path, 'summed.csv'), 'utf8')).toBe(
      'Name,Seats\nAda,3\nTotal,3\nBob,4\n',
    );
    write('wrong.json', JSON.stringify({ leaveout: [5] }));
    const wrong = [...upload, 'sums.csv', '--fix', '--decisions', 'wrong.json'];
    expect(await project.failure(wrong)).toMatchObject({ exitCode: 2 });
  });

  it('corrects the statement of a bank with the decisions of the guide', async () => {
    const statement =
      'Ums\xe4tze;;\nTag;Betrag;Text\n05.11.2026;12,50;K\xe4se\n06.11.2026;1,25;\xd6l\nSumme;13,75;\n';
    write('statement.csv', Buffer.from(statement, 'latin1'));
    const guide = readGuide('csv-import.md');
    const [, decisions = ''] = /```json\s+(\{ "with".+?\})\s+```/s.exec(guide) ?? [];
    write('statement.json', decisions);
    expect((await project.failure([...upload, 'statement.csv'])).exitCode).toBe(8);
    const open = await project.run([...upload, 'statement.csv', '--fix', '--json']);
    expect(openIn(open.stdout)).toEqual(['encoding', 'titles', 'notes']);
    const decided = [...upload, 'statement.csv', '--fix', '--decisions', 'statement.json', '--json'];
    const { next } = JSON.parse((await project.run([...decided, '--save', 'sent.csv'])).stdout);
    expect(readFileSync(join(project.path, 'sent.csv'), 'utf8')).toBe(
      'Tag,Betrag,Text\n05.11.2026,"12,50",Käse\n06.11.2026,"1,25",Öl\n',
    );
    expect(next).toMatch(/ --decisions statement\.json --fix --accept [0-9a-f]{64}$/);
  });

  it('reads a file without a header, and one with several header lines', async () => {
    write('bare.csv', 'Ada,3\nBob,4\n');
    const bare = ['--fix', '--header-line', '1', '--header-lines', '0', '--save', 'named.csv'];
    await project.run([...upload, 'bare.csv', ...bare]);
    expect(readFileSync(join(project.path, 'named.csv'), 'utf8')).toBe('Column 1,Column 2\nAda,3\nBob,4\n');
    write('units.csv', 'Name,Seats\ntext,[number]\nAda,3\nBob,4\n');
    const units = ['--fix', '--header-line', '1', '--header-lines', '2', '--save', 'joined.csv'];
    await project.run([...upload, 'units.csv', ...units]);
    expect(readFileSync(join(project.path, 'joined.csv'), 'utf8')).toBe(
      'Name text,Seats [number]\nAda,3\nBob,4\n',
    );
  });

  it('refuses a header behind the last line, with its number', async () => {
    const behind = await project.failure([...upload, 'export.csv', '--fix', '--header-line', '99']);
    expect(behind).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/--header-line: .+ at most \d+/),
    });
  });

  it('refuses in words what it cannot correct, and before it costs an import', async () => {
    const before = await importsUsed();
    write('page.csv', '<!doctype html><table><tr><td>Marker</td></tr></table>');
    write('binary.csv', Buffer.alloc(64));
    write('many.csv', `Name,Seats\n${'Marker,1\n'.repeat(1_001)}`);
    for (const [file, code, text] of [
      ['page.csv', 'web_page', 'web page'],
      ['binary.csv', 'not_correctable', 'is not text'],
      ['many.csv', 'too_many_rows', '--with rows'],
    ] as const) {
      const failure = await project.failure([...upload, file, '--fix']);
      expect(failure).toMatchObject({ code, exitCode: 8, message: expect.stringContaining(text) });
      expect(failure.message).not.toContain('Marker');
    }
    expect((await project.failure([...upload, 'many.csv'])).message).toContain('1001 rows');
    expect(await importsUsed()).toBe(before);
  });

  it('asks a person at a terminal, with texts of the file, and sends it with y only', async () => {
    const open = await project.inTerminal(200, 'A=1', [...upload, 'export.csv', '--fix'].join(' '), '', 3);
    expect(open).toContain('[?] titles: Remove lines above the header: 1 (line 1): Marker of March');
    const words = [...upload, 'export.csv', '--fix', '--with', 'encoding,titles'].join(' ');
    const refused = await project.inTerminal(200, 'A=1', words, 'n\n', 3);
    expect(refused).toContain('[x] titles: Remove lines above the header: 1 (line 1): Marker of March');
    expect(refused).toMatch(/Nothing was sent/);
    const sent = await project.inTerminal(200, 'A=1', words, 'y\n');
    expect(sent).toMatch(/status +uploaded/);
  });
});
