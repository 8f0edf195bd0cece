// Looks for: Chromium on this machine.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Namespaces, possibleNamespaces } from './namespace.ts';

/** The names of the program on different systems. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The programs of macOS, which are not in the path. */
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The settings that decide which browser runs, and how. */
export interface RunnerSettings {
  /** The path of Chromium; null: the first one that this machine has. */
  readonly chromium: string | null;
  /** False: the browser may run without its sandbox. */
  readonly sandbox: boolean;
  /** Browsers, and so runs, at the same time. */
  readonly browsers: number;
}

/** The user and the group that a browser runs as. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that browsers of a root process run as, for Chromium starts no sandbox for root. No account has this number: it is one of
 * those that systemd leaves unused (UIDS-GIDS, "Special Distribution UID ranges"), and small enough for a container.
 */
export const BROWSER_USER: BrowserUser = { uid: 61_183, gid: 61_183 };

/** A browser that can be started. */
export interface BrowserProgram {
  readonly path: string;
  /** Null: the user of this process. */
  readonly user: BrowserUser | null;
  readonly sandbox: boolean;
  /** From a network namespace, only the proxy of its run can be reached. */
  readonly namespaces: Namespaces;
}

/** A browser that can be started, or the reason for which there is none, for operators. */
export type FoundProgram = { readonly program: BrowserProgram } | { readonly missing: string };

const NO_CHROMIUM =
  'Browser checks need Chromium, which this machine does not have. Install it (apt install chromium; brew install --cask chromium), or name its program in SVC_CHROMIUM.';

interface Machine {
  readonly path: string;
  readonly isRoot: boolean;
  readonly possibleNamespaces: () => Namespaces;
}

/** Finds the browser of the settings. It never chooses to run without a sandbox. */
export function findProgram({ chromium, sandbox }: RunnerSettings, machine = thisMachine()): FoundProgram {
  const path = chromium ?? installed(machine);
  if (path === null || !isProgram(path)) {
    return { missing: NO_CHROMIUM };
  }
  const user = machine.isRoot ? BROWSER_USER : null;
  const namespaces = machine.isRoot ? machine.possibleNamespaces() : 'none';
  return { program: { path, user, sandbox, namespaces } };
}

function thisMachine(): Machine {
  return { path: process.env['PATH'] ?? '', isRoot: process.getuid?.() === 0, possibleNamespaces };
}

function installed({ path }: Machine): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...APPLICATIONS].find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
