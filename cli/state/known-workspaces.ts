// Notes outside of projects which workspace files this tool wrote. A repository or an archive can bring a folder `.svc` with the
// address of a stranger, in the right modes. It cannot bring these notes.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { CommandFailure } from '../failure.ts';
import { PrivateFolder } from './private-folder.ts';

/** The content of a note, for people. The tool needs only its name, which is the digest of the workspace file. */
export interface Note {
  readonly directory: string;
  readonly baseUrl: string;
  /** Null until the service has answered. */
  readonly installationId: string | null;
}

/** True if this tool wrote a text as a workspace file, for this user on this machine, or was told to trust it. */
export function isKnown(environment: Readonly<NodeJS.ProcessEnv>, text: string): boolean {
  const path = configurationFolder(environment);
  const folder = path === null ? null : PrivateFolder.open(path);
  return folder !== null && folder.read(nameOf(text)) !== null;
}

/**
 * Notes a workspace file, before it is written.
 *
 * @throws {CommandFailure} if there is no folder for notes
 */
export function remember(environment: Readonly<NodeJS.ProcessEnv>, text: string, note: Note): void {
  const path = configurationFolder(environment);
  if (path === null) throw notWritable('There is no home folder.');
  try {
    const folder = PrivateFolder.make(path, { withParents: true });
    folder.requireClosed(null, false);
    folder.write(nameOf(text), `${JSON.stringify(note, null, 2)}\n`);
  } catch (error) {
    throw error instanceof CommandFailure ? notWritable(error.message) : error;
  }
}

function notWritable(reason: string): CommandFailure {
  return new CommandFailure(`${reason} Name a folder of yours outside of the project in XDG_CONFIG_HOME.`, {
    code: 'state_not_writable',
    exit: 'failed',
  });
}

function nameOf(text: string): string {
  return `workspace-${sha256Hex(text)}.json`;
}

/** The folder of this tool among the configurations of its user, or null for a user without a home folder. */
function configurationFolder(environment: Readonly<NodeJS.ProcessEnv>): string | null {
  const { XDG_CONFIG_HOME: named = '', APPDATA: roaming = '' } = environment;
  if (isAbsolute(named)) return join(named, 'svc');
  if (process.platform === 'win32' && isAbsolute(roaming)) return join(roaming, 'svc');
  const home = homeFolder();
  if (home === null) return null;
  return join(home, process.platform === 'darwin' ? 'Library/Application Support' : '.config', 'svc');
}

function homeFolder(): string | null {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : null;
  } catch {
    return null;
  }
}
