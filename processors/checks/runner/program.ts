// Looks for: Chromium on this machine, and the user who runs it.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canMakeNamespaces } from './namespace.ts';

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
  /** The user that the browser runs as, if this process is root; null: the user of this process. */
  readonly user: string | null;
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

/** A browser that can be started. */
export interface BrowserProgram {
  readonly path: string;
  /** Null: the user of this process. */
  readonly user: BrowserUser | null;
  readonly sandbox: boolean;
  /** True: it gets a network namespace from which only the proxy of its run can be reached. */
  readonly namespace: boolean;
}

/** A browser that can be started, or the reason for which there is none, for operators. */
export type FoundProgram = { readonly program: BrowserProgram } | { readonly missing: string };

interface Machine {
  readonly path: string;
  readonly isRoot: boolean;
  readonly canMakeNamespaces: () => boolean;
  /** Null: there is no user of that name. */
  readonly findUser: (name: string) => BrowserUser | null;
}

/** Finds the browser of the settings. It never chooses to run without a sandbox. */
export function findProgram(
  { chromium, user, sandbox }: RunnerSettings,
  machine = thisMachine(),
): FoundProgram {
  const path = chromium ?? installed(machine);
  if (path === null || !isProgram(path)) {
    return { missing: 'No Chromium on this machine: install it, or name its program in SVC_CHROMIUM.' };
  }
  if (!machine.isRoot) return { program: { path, user: null, sandbox, namespace: false } };
  if (user === null && sandbox) {
    return {
      missing:
        'Chromium starts no sandbox for root: name an unprivileged user in SVC_RUNNER_USER, or run the process as one.',
    };
  }
  if (user === null) return { program: { path, user, sandbox, namespace: false } };
  const found = machine.findUser(user);
  if (found === null)
    return { missing: 'SVC_RUNNER_USER names no user of this machine: make it, or name another one.' };
  return { program: { path, user: found, sandbox, namespace: machine.canMakeNamespaces() } };
}

function thisMachine(): Machine {
  return { path: process.env['PATH'] ?? '', isRoot: process.getuid?.() === 0, canMakeNamespaces, findUser };
}

function findUser(name: string): BrowserUser | null {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return uid === undefined || gid === undefined ? null : { uid, gid };
  } catch {
    return null;
  }
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
