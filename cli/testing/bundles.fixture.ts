import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CLI, ROOT } from '../../infra/tools/browser/digest.ts';
import {
  openProjectFolder,
  readWorkspaceFile,
  type WorkspaceFile,
  writeWorkspaceFile,
} from '../state/workspace-file.ts';

const require = createRequire(import.meta.url);

/** The runtimes for which the tool is released. */
export const RUNTIMES = [
  { runtime: 'Bun', program: bunProgram() },
  { runtime: 'Node', program: process.execPath },
] as const;

/** Those that a suite of commands runs on. Most are the same program on either, so that only `npm run test:all` repeats them on Node. */
export const SUITE_RUNTIMES = process.env['SVC_TEST_ALL'] === 'on' ? RUNTIMES : [RUNTIMES[0]];

export type Runtime = (typeof RUNTIMES)[number];

/** The path of a built release. */
export function bundleOf(version: string): string {
  return join(ROOT, CLI.folder, `svc-cli-v${version}.js`);
}

/** Bun as its install script put it, or as the package of the platform brings it where install scripts do not run. */
function bunProgram(): string {
  const folder = dirname(require.resolve('bun/package.json'));
  const names = readdirSync(join(folder, '../@oven')).map((name) => join(folder, '../@oven', name, 'bin'));
  const candidates = [
    join(folder, 'bin/bun.exe'),
    ...names.flatMap((bin) => [join(bin, 'bun'), join(bin, 'bun.exe')]),
  ];
  // Where no script has run, the first candidate is a small text that says so.
  const found = candidates.find((file) => existsSync(file) && statSync(file).size > 1_000_000);
  if (found === undefined) throw new Error('finding Bun: npm install has not brought it for this platform');
  return found;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** A folder below the project directory to start in. */
  readonly below?: string;
  /** Standard input; none if absent. */
  readonly input?: string;
  /** Called with the process once it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** A project directory, in which a release is run as a user would run it. */
export class ProjectDirectory {
  readonly path: string;
  /** The home folder of its user, outside of the project. */
  readonly home: string;
  readonly #runtime: Runtime;
  readonly #version: string;

  constructor(runtime: Runtime, version: string) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'svc-cli-')));
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-home-')));
    this.#runtime = runtime;
    this.#version = version;
  }

  /** Runs a command and waits for its end. */
  async run(
    words: readonly string[],
    { environment = {}, below = '', input, onStart }: RunOptions = {},
  ): Promise<Ran> {
    const cwd = join(this.path, below);
    mkdirSync(cwd, { recursive: true });
    const child = spawn(this.#runtime.program, [bundleOf(this.#version), ...words], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.home, ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // A command that refuses at once does not read it.
    child.stdin?.on('error', () => undefined).end(input);
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    onStart?.(child);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  /** Runs a command with `--json`, and returns what it printed, without a `next` of null. */
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into outputs whose shape is what they check.
  async json(words: readonly string[], options: RunOptions = {}): Promise<any> {
    const { code, stdout, stderr } = await this.run([...words, '--json'], options);
    if (code !== 0 && code !== 8) throw new Error(`running ${words.join(' ')}: ${code} ${stderr}`);
    const { next, ...printed } = JSON.parse(stdout);
    return next === null ? printed : { ...printed, next };
  }

  /** Runs a command that fails, with `--json`, and returns the error and the exit code. */
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into outputs whose shape is what they check.
  async failure(words: readonly string[], options: RunOptions = {}): Promise<any> {
    const { code, stdout, stderr } = await this.run([...words, '--json'], options);
    if (stdout !== '') throw new Error(`running ${words.join(' ')}: it printed ${stdout}`);
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    if (error.exitCode !== code)
      throw new Error(`running ${words.join(' ')}: ${code} is not ${error.exitCode}`);
    return error;
  }

  /**
   * Runs a command in a terminal of a width, which `script` of util-linux makes, and returns what the terminal gets.
   *
   * @param variables as words of `env`
   * @param typed by the person
   * @param exit code that is expected
   */
  async inTerminal(columns: number, variables: string, words: string, typed = '', exit = 0): Promise<string> {
    const { program } = this.#runtime;
    const command = `stty cols ${columns}; env ${variables} ${program} ${bundleOf(this.#version)} ${words}`;
    const script = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: this.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.home, TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    script.stdin.write(typed);
    const [shown, [code]] = await Promise.all([text(script.stdout), once(script, 'close')]);
    if (code !== exit) throw new Error(`running ${words} in a terminal: ${code} ${shown}`);
    return shown;
  }

  /** Changes the workspace file as the tool itself would. */
  rewrite(change: (file: WorkspaceFile) => WorkspaceFile): void {
    const folder = openProjectFolder(this.path);
    const environment = { XDG_CONFIG_HOME: join(this.home, '.config') };
    const file = folder === null ? null : readWorkspaceFile(environment, folder);
    if (folder === null || file === null) throw new Error('changing a workspace file that is not there');
    writeWorkspaceFile(environment, folder, change(file));
  }

  dispose(): void {
    for (const folder of [this.path, this.home]) rmSync(folder, { recursive: true, force: true });
  }
}
