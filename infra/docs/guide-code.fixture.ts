import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_VERSION } from '../../cli/client/version.ts';
import { CLI, ROOT } from '../tools/browser/digest.ts';

/** The text of a guide in this folder. */
export function readGuide(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/**
 * The code of a guide's first block in a language that begins like this.
 *
 * @throws {Error} if there is none
 */
export function codeOf(guide: string, language: string, beginning: string): string {
  const blocks = [...guide.matchAll(/^```([a-z]+)(?: tab=\w+)?\n(.*?)^```$/gms)];
  const code = blocks.find(([, kind, body]) => kind === language && body?.startsWith(beginning))?.[2];
  if (code === undefined) throw new Error(`finding ${language} that begins with ${beginning}`);
  return code;
}

/** Makes a folder with the client library as npm installs it, and Express beside it, in which code of a guide runs. */
export function folderWithClient(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const library = join(ROOT, CLI.folder, `svc-client-${CLIENT_VERSION}.tgz`);
  const npm = ['install', '--offline', '--no-audit', '--no-fund', library];
  execFileSync('npm', npm, { cwd: folder, stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules/express'), join(folder, 'node_modules/express'));
  return folder;
}
