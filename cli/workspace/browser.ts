import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withTimeout } from '../../schemas/base/timeout.ts';

/** The time after which an opener that still runs counts as successful: some of them wait for the browser. */
const OPENER_MS = 3_000;

/**
 * Opens a file in the browser of the person who sits here. Only the path of the file is in the argument list.
 * Returns false where there is no browser: on a remote shell, without a display, and without an opener.
 */
export async function openInBrowser(
  file: string,
  environment: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const opener = openerOf(environment, platform);
  if (opener === null) return false;
  const [program, ...words] = opener;
  const child = spawn(program, [...words, file], { stdio: 'ignore', detached: true });
  const ended = once(child, 'exit').then(
    ([code]: number[]) => code === 0,
    () => false,
  );
  child.unref();
  return await withTimeout(OPENER_MS, ended, () => new Error('still running')).catch(() => true);
}

function openerOf(
  environment: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform,
): [string, ...string[]] | null {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (isSet('SSH_CONNECTION') || isSet('CI')) return null;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? ['xdg-open'] : null;
}
