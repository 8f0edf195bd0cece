import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TABLES } from '../../../topics/catalogue.ts';
import { allStatements, readSchemaVersions } from './schema-files.ts';

describe('the versions of the schema', () => {
  it('create a table for each table of the catalogue', async () => {
    const versions = await readSchemaVersions();
    const statements = versions.flatMap((version) => allStatements(version, TABLES));
    for (const table of TABLES) {
      expect(
        statements.filter((text) => text.startsWith(`CREATE TABLE IF NOT EXISTS ${table} (`)),
      ).toHaveLength(1);
    }
  });

  it('contain only repeatable statements; a version without statements excludes earlier programs', async () => {
    const versions = await readSchemaVersions();
    for (const { statements, version, lowestCompatible } of versions) {
      if (lowestCompatible !== version) expect(statements).not.toEqual([]);
      for (const statement of statements)
        expect(statement).toMatch(
          /^(\S[^;]* IF NOT EXISTS |ALTER TABLE \{table\}\s+WITH compaction = \{[^;{}]*\}$)/,
        );
    }
  });
});

describe('readSchemaVersions', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'schema-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function write(name: string, manifest: object, files: Readonly<Record<string, string>> = {}) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'manifest.json'), JSON.stringify(manifest));
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, name, file), text);
  }

  it('reads statements in the order of their files, without comments', async () => {
    await write('v2', { version: 2, lowestCompatible: 1 }, { 'a.cql': 'ALTER TABLE a ADD c text;' });
    await write(
      'v1',
      { version: 1, lowestCompatible: 1 },
      { 'b.cql': '-- A note; of ours.\nCREATE b;\n  -- Another.\nCREATE c\n  (d);\n', 'a.cql': 'CREATE a;' },
    );
    expect(await readSchemaVersions(folder)).toEqual([
      { version: 1, lowestCompatible: 1, statements: ['CREATE a', 'CREATE b', 'CREATE c\n  (d)'] },
      { version: 2, lowestCompatible: 1, statements: ['ALTER TABLE a ADD c text'] },
    ]);
  });

  it.each([
    ['no version', []],
    ['a gap', ['v1', 'v3']],
    ['a first version that is missing', ['v2']],
  ])('rejects %s', async (_, names) => {
    for (const name of names) await write(name, { version: Number(name.slice(1)), lowestCompatible: 1 });
    await expect(readSchemaVersions(folder)).rejects.toThrow('expected v1, v2 and so on');
  });

  it('rejects a manifest of another version', async () => {
    await write('v1', { version: 2, lowestCompatible: 1 });
    await expect(readSchemaVersions(folder)).rejects.toThrow('its manifest names version 2');
  });
});
