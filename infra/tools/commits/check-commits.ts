// Checks that each commit stands by itself, so that a search for the commit that broke something (git bisect) can stop at each.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Commit, git, OUTPUT_BYTES_MAX, tryGit } from './git.ts';

const TSC = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
const PROJECTS = ['tsconfig.json', 'widgets/tsconfig.json', 'widgets/testing/tsconfig.json'];

/** The types of the console are written from the snapshot of the interface. */
const SNAPSHOT = 'infra/tools/interface/openapi.snap.json';
const WRITE_TYPES = ['infra/tools/browser/main.ts', '--types'];

const LOCK_FILE = 'package-lock.json';
/** Files that the types depend on. */
const TYPED = ['*.ts', '*.tsx', '*.json'];
/** Files that programs write, or that hold data. */
const GENERATED = ['*.snap.json', LOCK_FILE, '*.csv'];

/** A reader of a larger commit cannot review it. */
const ADDED_LINES_MAX = 5_000;
const ERRORS_SHOWN = 5;

const run = promisify(execFile);

export interface CheckedCommit {
  readonly commit: Commit;
  readonly seconds: number;
  /** Empty if the commit is sound. */
  readonly faults: readonly string[];
  /** True if its dependencies are not those of the checkout, so that its types cannot be checked. */
  readonly isLeftOut: boolean;
}

/** Checks commits of a repository one after the other, in a temporary worktree. The checkout stays as it is. */
export async function* checkCommits(
  folder: string,
  commits: readonly Commit[],
  signal?: AbortSignal,
): AsyncGenerator<CheckedCommit> {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  const tree = join(temporary, 'tree');
  try {
    git(folder, 'worktree', 'add', '--detach', '--no-checkout', tree, 'HEAD');
    linkDependencies(folder, tree);
    const types = new Types(tree, temporary, signal);
    for (const commit of commits) {
      const begun = performance.now();
      const isLeftOut = tryGit(folder, 'diff', '--quiet', commit.hash, 'HEAD', '--', LOCK_FILE) === null;
      const faults = [...sizeFaults(folder, commit), ...(isLeftOut ? [] : await types.faultsOf(commit))];
      yield { commit, seconds: (performance.now() - begun) / 1_000, faults, isLeftOut };
    }
  } finally {
    tryGit(folder, 'worktree', 'remove', '--force', tree);
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Gives the worktree the packages of the checkout, and each package of the workspace those that it has beside them. */
function linkDependencies(folder: string, tree: string): void {
  const manifest = join(folder, 'package.json');
  const schema = z.object({ workspaces: z.array(z.string()).default([]) });
  const { workspaces } = schema.parse(existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {});
  for (const path of ['node_modules', ...workspaces.map((workspace) => join(workspace, 'node_modules'))]) {
    if (!existsSync(join(folder, path))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    symlinkSync(join(folder, path), join(tree, path));
  }
}

function sizeFaults(folder: string, { hash }: Commit): string[] {
  const generated = GENERATED.map((pattern) => `:(exclude)${pattern}`);
  const added = changes(folder, hash, '--numstat', '--', '.', ...generated)
    // A binary file has "-" instead of a number.
    .map((line) => Number(line.split('\t')[0]) || 0)
    .reduce((sum, lines) => sum + lines, 0);
  if (added <= ADDED_LINES_MAX) return [];
  return [`adds ${added} lines: no commit by folder of thousands of lines`];
}

/** The lines in which git lists what a commit changes against its first parent. */
function changes(folder: string, hash: string, ...args: readonly string[]): string[] {
  const output = git(folder, 'show', '--diff-merges=first-parent', '--format=', hash, ...args);
  return output === '' ? [] : output.split('\n');
}

/** The types of a worktree, as it passes from commit to commit. Only what has changed in between is checked again. */
class Types {
  readonly #tree: string;
  readonly #temporary: string;
  readonly #signal: AbortSignal | undefined;
  /** The snapshot that the types of the interface were written from. */
  #snapshot: string | null = null;
  #isFirst = true;

  constructor(tree: string, temporary: string, signal: AbortSignal | undefined) {
    this.#tree = tree;
    this.#temporary = temporary;
    this.#signal = signal;
  }

  /** Checks out a commit. Returns what is wrong with its types and imports; nothing if it changes no file that they depend on. */
  async faultsOf({ hash }: Commit): Promise<string[]> {
    if (!this.#isFirst && changes(this.#tree, hash, '--name-only', '--', ...TYPED).length === 0) return [];
    this.#isFirst = false;
    git(this.#tree, 'checkout', '--detach', '--force', '--quiet', hash);
    const errors = await this.#writeInterface(hash);
    for (const [index, project] of PROJECTS.entries()) {
      if (!existsSync(join(this.#tree, project))) continue;
      const info = join(this.#temporary, `${index}.tsbuildinfo`);
      errors.push(
        ...(await this.#errorsOf(TSC, ['-p', project, '--incremental', '--tsBuildInfoFile', info])),
      );
    }
    const shown = [...new Set(errors)];
    return shown.length > ERRORS_SHOWN
      ? [...shown.slice(0, ERRORS_SHOWN), `and ${shown.length - ERRORS_SHOWN} more`]
      : shown;
  }

  async #writeInterface(hash: string): Promise<string[]> {
    const snapshot = tryGit(this.#tree, 'rev-parse', '--verify', `${hash}:${SNAPSHOT}`);
    if (snapshot === null || snapshot === this.#snapshot) return [];
    const errors = await this.#errorsOf(process.execPath, WRITE_TYPES);
    this.#snapshot = errors.length === 0 ? snapshot : null;
    return errors;
  }

  /** Runs a program in the worktree. Returns the lines of its output if it fails. */
  async #errorsOf(program: string, args: readonly string[]): Promise<string[]> {
    this.#signal?.throwIfAborted();
    const running = run(program, args, { cwd: this.#tree, maxBuffer: OUTPUT_BYTES_MAX });
    // A compiler that may still write would leave its file behind in a folder that is removed.
    const stop = () => running.child.kill('SIGKILL');
    this.#signal?.addEventListener('abort', stop);
    try {
      await running;
      return [];
    } catch (error) {
      this.#signal?.throwIfAborted();
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
      const lines = (stdout + stderr).split('\n').filter((line) => line.trim() !== '');
      return lines.length === 0 ? [message] : lines;
    } finally {
      this.#signal?.removeEventListener('abort', stop);
    }
  }
}
