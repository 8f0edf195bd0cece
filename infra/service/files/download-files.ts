// Reads: the built downloads, once at the start.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DownloadFile } from '../../../gateway/http/pages/downloads.ts';
import { readFileContent } from './file-content.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The folders into which downloads are built. */
const FOLDERS = ['cli/dist/downloads', 'widgets/dist/widgets'];

/**
 * A download has its version in its name, a package as npm writes it. Scripts of widgets and the client library have TypeScript
 * declarations beside them.
 */
const NAME = /^(?<product>[a-z-]+)-v?(?<version>\d+\.\d+\.\d+)(?<end>\.js|\.d\.ts|\.tgz)$/;

/** The files that pages load, with their rolling addresses where they have one. */
const FOR_PAGES: Readonly<Record<string, string | null>> = {
  'svcactivate-widget': '/v1/activate/widget.v1',
  'svcimport-widget': null,
  'svcimport-fix': null,
  'svcimport-legacy': null,
  'svcimport-ask': null,
  'svcimport-columns': null,
  'svcimport-values': null,
  'svcimport-check': null,
  'svcfeedback-widget': null,
};

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
      return [{ name, version, content: readFileContent(join(folder, name)), ...forPages }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
