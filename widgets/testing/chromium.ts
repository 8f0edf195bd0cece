import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The names of the program on different systems. The first has no windows, and takes a third of the time for a page. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The programs of macOS, which are not in the path. */
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Said where there is no browser. */
export const NO_CHROMIUM =
  'No Chromium on this machine: install chromium or Google Chrome, or name its program in CHROMIUM_PATH.';

/** A page waits that long for what it expects to see, on a busy machine, too. */
export const WAIT_MS_MAX = 90_000;

/** Returns the path of a Chromium: `CHROMIUM_PATH`, else the first that is installed; null if there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...APPLICATIONS].find(isProgram) ?? null;
}

/** Starts a browser without a window. */
export async function launchChromium(
  executablePath: string,
  further: readonly string[] = [],
): Promise<Browser> {
  // Chromium does not start its sandbox for root.
  const isRoot = process.getuid?.() === 0;
  return await chromium.launch({ executablePath, args: [...further, ...(isRoot ? ['--no-sandbox'] : [])] });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
