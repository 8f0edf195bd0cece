import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConsoleFiles } from './console-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-console-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('readConsoleFiles', () => {
  it('returns null where nothing was built', () => {
    expect(readConsoleFiles(folder)).toBeNull();
    expect(readConsoleFiles(join(folder, 'missing'))).toBeNull();
  });

  it('reads the addresses of the pages', () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '');
    writeFileSync(join(folder, 'paths.json'), '["/keys/:keyId"]');
    expect(readConsoleFiles(folder)?.paths).toEqual(['/keys/:keyId']);
  });

  it('reads the page and each asset with its compressed forms, and nothing else', () => {
    mkdirSync(join(folder, 'assets'));
    const files = ['index.html', 'index.html.br', 'assets/a-1.js', 'assets/a-1.js.gz', 'assets/a-1.js.map'];
    for (const file of files) writeFileSync(join(folder, file), file);
    expect(readConsoleFiles(folder)).toEqual({
      page: {
        contentType: 'text/html; charset=utf-8',
        bytes: Buffer.from('index.html'),
        coded: { br: Buffer.from('index.html.br') },
      },
      paths: null,
      assets: new Map([
        [
          'a-1.js',
          {
            contentType: 'text/javascript; charset=utf-8',
            bytes: Buffer.from('assets/a-1.js'),
            coded: { gzip: Buffer.from('assets/a-1.js.gz') },
          },
        ],
      ]),
    });
  });

  it('reads what the build of this repository made', () => {
    const built = readConsoleFiles();
    const names = [...(built?.assets.keys() ?? [])];
    expect(built?.page.coded.br).toBeDefined();
    expect(names).toContainEqual(expect.stringMatching(/^index-[\w-]+\.js$/));
    expect(names).toContainEqual(expect.stringMatching(/^inter-[\w-]+\.woff2$/));
    for (const name of names) expect(built?.page.bytes.toString() + name).toMatch(/-[\w-]{8}\.\w+$/);
  });
});
