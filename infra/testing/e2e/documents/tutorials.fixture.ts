// Pastes blocks of the documentation into a shell, as a reader does.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readGuide } from '../../../docs/guide-code.fixture.ts';
import { ADDRESS } from '../../../tools/site/examples.ts';

/** A block of a page. */
export interface Block {
  /** The words of its fence. */
  readonly fence: string;
  readonly code: string;
}

/** Returns the blocks of a page in its order, with the address of a service. */
export function blocksOf(name: string, url: string): Block[] {
  return blocksIn(readGuide(name), url);
}

/** Returns the blocks above the first section of a page: the code that stays, once for each language. */
export function firstScreenOf(name: string, url: string): Block[] {
  const [screen = ''] = readGuide(name).split('\n## ', 1);
  return blocksIn(screen, url).filter(({ fence }) => fence.includes(' tab='));
}

function blocksIn(text: string, url: string): Block[] {
  const blocks = [...text.matchAll(/^```(.*?)\n(.*?)^```$/gms)];
  return blocks.map(([, fence = '', code = '']) => ({ fence, code: code.replaceAll(ADDRESS, url) }));
}

/** Blocks for the tool and the browser that are not installed here, and for the shell in which the service runs. */
const ELSEWHERE = /^(svc|chromium|SVC_ALLOW_LOOPBACK=1) /;

/** Returns the blocks of a page for a shell as one text, without those of its first screen, which need what the others make. */
export function shellCode(name: string, url: string): string {
  const first = firstScreenOf(name, url).map(({ code }) => code);
  const blocks = blocksOf(name, url).filter(
    ({ fence, code }) => /^sh\b/.test(fence) && !ELSEWHERE.test(code) && !first.includes(code),
  );
  return blocks.map(({ code }) => code).join('\n');
}

/** A shell of a reader. */
export interface Shell {
  readonly name: string;
  readonly command: readonly [program: string, ...words: string[]];
}

/** Bash that ends at the first failure, zsh as it is on a terminal without options, and fish. */
const KNOWN_SHELLS: readonly Shell[] = [
  { name: 'bash', command: ['bash', '-eu'] },
  { name: 'zsh', command: ['zsh', '-f', '-i', '-o', 'no_prompt_sp', '-o', 'no_prompt_cr'] },
  // Node gives a socket as standard input, which fish does not read.
  { name: 'fish', command: ['sh', '-c', 'cat | fish --no-config'] },
];

/** The shells that are installed here. A line names each other one. */
export const SHELLS = KNOWN_SHELLS.filter(({ name }) => {
  const isHere = spawnSync(name, ['--version']).error === undefined;
  if (!isHere) process.stderr.write(`left out: blocks of the documentation in ${name}, which is not here\n`);
  return isHere;
});

/** Words with which a shell or curl says that a line failed. */
const FAILURES =
  /command not found|Unknown command|^fish: |parse error|no matches found|bad pattern|syntax error|curl: \(\d+\).*/m;
/** Credentials of the service, and the password of the guides. */
const SECRETS = /svc_(?:limiter_(?:test|live)|[a-z]+)_[0-9A-Za-z]{32,}|correct horse battery/;
const PASTED_MS_MAX = 240_000;

/** An empty Git repository of a reader, beside the folder of temporary files and of what curl was called with. */
export class Reader {
  readonly folder: string;
  readonly #temporary: string;
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-reader-'));

  /** @param setUpLink of the service, which a reader finds in its folder */
  constructor(setUpLink: string) {
    this.folder = join(this.#root, 'repository');
    this.#temporary = join(this.#root, 'temporary');
    for (const folder of [this.folder, this.#temporary, join(this.#root, 'bin')]) mkdirSync(folder);
    mkdirSync(join(this.folder, '.data'), { mode: 0o700 });
    writeFileSync(join(this.folder, '.data', 'set-up-link'), `${setUpLink}\n`, { mode: 0o600 });
    spawnSync('git', ['init', '--quiet'], { cwd: this.folder });
    // The repository of the service leaves the data folder out.
    writeFileSync(join(this.folder, '.git', 'info', 'exclude'), '/.data/\n');
    const curl = spawnSync('which', ['curl'], { encoding: 'utf8' }).stdout.trim();
    const noting = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${this.#arguments}'\nexec '${curl}' "$@"\n`;
    writeFileSync(join(this.#root, 'bin', 'curl'), noting);
    chmodSync(join(this.#root, 'bin', 'curl'), 0o755);
  }

  /**
   * Pastes lines. Resolves with what they print.
   *
   * @throws {Error} if a line fails, or prints a credential
   */
  async paste({ command: [program, ...words] }: Shell, lines: string): Promise<string> {
    const path = [join(this.#root, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { ...process.env, PATH: path, TMPDIR: this.#temporary, PS1: '', PS2: '' };
    const options = { cwd: this.folder, env, timeout: PASTED_MS_MAX };
    const pasted = promisify(execFile)(program, words, options);
    pasted.child.stdin?.end(`${lines}\n`);
    const { stdout, stderr } = await pasted;
    const [failure] = FAILURES.exec(stderr) ?? [];
    if (failure !== undefined) throw new Error(`pasting into ${program}: ${failure}\n${stdout}${stderr}`);
    const [secret] = SECRETS.exec(stdout + stderr) ?? [];
    if (secret !== undefined) throw new Error(`pasting into ${program}: it prints ${secret}`);
    return stdout;
  }

  /** The files of this name that were made in temporary folders. */
  made(name: string): string[] {
    return globSync(`*/${name}`, { cwd: this.#temporary }).map((file) => join(this.#temporary, file));
  }

  /** The places where a secret of a reader can be seen: files that Git would take or that others can read, and arguments. */
  exposed(): string[] {
    const staged = spawnSync('git', ['add', '-A', '-n'], { cwd: this.folder, encoding: 'utf8' }).stdout;
    const readable = [this.folder, this.#temporary].flatMap((folder) =>
      globSync('**/*{.json,.header,.curl,cookies,.env,limiter-key}', {
        cwd: folder,
        exclude: ['**/node_modules/**', '**/.git/**'],
      })
        .map((file) => join(folder, file))
        .filter((file) => (statSync(file).mode & 0o077) !== 0),
    );
    const seen = spawnSync('grep', ['-E', SECRETS.source.replaceAll('?:', ''), this.#arguments], {
      encoding: 'utf8',
    });
    return [...staged.split('\n'), ...readable, ...seen.stdout.split('\n')].filter((line) => line !== '');
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  get #arguments(): string {
    return join(this.#root, 'arguments.log');
  }
}
