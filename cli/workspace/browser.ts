import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withTimeout } from '../../schemas/base/timeout.ts';

/** The time after which an opener that still runs counts as successful: some of them wait for the browser. */
const OPENER_MS = 3_000;
/** Variables of machines at which no person sits. A helper that opens addresses elsewhere cannot open a file of this machine. */
const REMOTE = ['SSH_CONNECTION', 'CI', 'CODESPACES', 'REMOTE_CONTAINERS', 'VSCODE_IPC_HOOK_CLI'];

type Opener = readonly [program: string, ...words: string[]];
type Environment = Readonly<NodeJS.ProcessEnv>;

/**
 * Opens a file in the browser of the person who sits here. Only the path of the file is in the argument list.
 * Returns false where there is no browser: on a remote machine, without a display, and without an opener.
 */
export async function openInBrowser(
  file: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  for (const opener of openersOf(environment, platform)) {
    if (await hasOpened(opener, file, environment)) return true;
  }
  return false;
}

async function hasOpened([program, ...words]: Opener, file: string, env: Environment): Promise<boolean> {
  const child = spawn(program, [...words, file], { stdio: 'ignore', detached: true, env });
  const ended = once(child, 'exit').then(
    ([code]: number[]) => code === 0,
    () => false,
  );
  child.unref();
  return await withTimeout(OPENER_MS, ended, () => new Error('still running')).catch(() => true);
}

/** The programs to try, those of `BROWSER` first: names with colons between them, each with its words. */
function openersOf(environment: Environment, platform: NodeJS.Platform): Opener[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (REMOTE.some(isSet)) return [];
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  const named = (environment['BROWSER'] ?? '').split(':').flatMap((each): Opener[] => {
    const [program, ...words] = each.split(' ').filter((word) => word !== '' && word !== '%s');
    return program === undefined ? [] : [[program, ...words]];
  });
  if (platform === 'darwin') return [...named, ['open']];
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? [...named, ['xdg-open']] : named;
}
