// Reads: the built downloads, once at the start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { DownloadFile } from '../../gateway/http/downloads.ts';
import { CODINGS, type FileContent } from '../../gateway/http/served-file.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The folders into which downloads are built. */
const FOLDERS = ['cli/dist/downloads', 'widgets/dist/widgets'];

/** A download has its version in its name. Scripts of widgets have TypeScript declarations beside them. */
const NAME = /^(?<product>[a-z-]+)-v(?<version>\d+\.\d+\.\d+)(?<end>\.js|\.d\.ts)$/;

/** The files that pages load, with their rolling addresses where they have one. */
const FOR_PAGES: Readonly<Record<string, string | null>> = {
  'svcactivate-widget': '/v1/activate/widget.v1',
  'svcimport-widget': null,
  'svcimport-fix': null,
  'svcfeedback-widget': null,
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
};

/** The ends of the names of compressed files, beside the files themselves. */
const ENDS = { br: '.br', gzip: '.gz' } as const;

/** Reads the files to download, by name. A folder that was not built has none. */
export function readDownloadFiles(folders = FOLDERS.map((folder) => join(ROOT, folder))): DownloadFile[] {
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => ({ folder, name })));
  return files
    .flatMap(({ folder, name }) => {
      const { product = '', version, end = '' } = NAME.exec(name)?.groups ?? {};
      if (version === undefined) return [];
      const rolling = FOR_PAGES[product];
      const forPages = rolling === undefined ? {} : { forPages: { rolling: rolling && rolling + end } };
      return [{ name, version, content: readContent(join(folder, name)), ...forPages }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function readContent(file: string): FileContent {
  const coded = CODINGS.filter((coding) => existsSync(file + ENDS[coding]));
  return {
    contentType: CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
    bytes: readFileSync(file),
    coded: Object.fromEntries(coded.map((coding) => [coding, readFileSync(file + ENDS[coding])])),
  };
}
