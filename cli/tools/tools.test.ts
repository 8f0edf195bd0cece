import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import { startWords } from '../output/shell-line.ts';
import { RELEASES } from '../releases.ts';
import { bundleOf, ProjectDirectory, RUNTIMES } from '../testing/bundles.fixture.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start();
});
afterAll(() => service?.dispose());

describe.each(RUNTIMES)('svc doctor on $runtime', (runtime) => {
  let project: ProjectDirectory;
  beforeEach(() => {
    project = new ProjectDirectory(runtime, '0.4.0');
  });
  afterEach(() => project.dispose());

  const results = async (words: readonly string[] = []): Promise<Record<string, string>> => {
    const { checks } = await project.json(['doctor', ...words]);
    return Object.fromEntries(checks.map(({ check, result }: Record<string, string>) => [check, result]));
  };

  it('finds everything in order', async () => {
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', service.url]);
    const said = await (await fetch(`${service.url}/v1/agent/capabilities`)).text();
    expect(said).toMatch(/"browser":"(ready|missing)"/);
    expect(await results()).toEqual({
      folder: 'ok',
      proxy: 'ok',
      address: 'ok',
      version: 'ok',
      clock: 'ok',
      credential: 'ok',
      browser: said.includes('"browser":"ready"') ? 'ok' : 'warning',
    });
    const shown = await project.run(['doctor'], { environment: { NO_COLOR: '1' } });
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringMatching(/^check +result +detail\nfolder +ok /),
    ]);
  });

  it('exits with 8 for a folder that others can open, a service that is away, and a wrong credential', async () => {
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', service.url]);
    const file = join(project.path, '.svc/workspace.json');
    chmodSync(file, 0o640);
    const open = await project.run(['doctor', '--json']);
    expect([open.code, JSON.parse(open.stdout).checks[0]]).toMatchObject([
      8,
      { check: 'folder', result: 'failed' },
    ]);
    chmodSync(file, 0o600);
    project.rewrite((stored) => ({ ...stored, baseUrl: 'http://127.0.0.1:18999' }));
    expect(await results()).toMatchObject({ address: 'failed', version: 'skipped', credential: 'skipped' });
    expect(JSON.parse((await project.run(['doctor', '--json'])).stdout).next).toMatch(/ doctor$/);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/svc_project_\w+/, `svc_project_${'0'.repeat(40)}`),
    );
    const damaged = await project.failure(['workspace', 'status']);
    expect(damaged.code).toBe('damaged_state');
    expect(damaged.message).toMatch(/ claimed, run workspace credential after that, /);
    expect(damaged.next).toMatch(/^mv \/\S+\/\.svc /);
    expect(JSON.parse((await project.run(['doctor', '--json'])).stdout).next).toBe(damaged.next);
  });

  it('warns without a workspace, and asks for an address', async () => {
    expect(await results(['--base-url', service.url])).toMatchObject({ folder: 'warning', address: 'ok' });
    const { checks, next } = JSON.parse((await project.run(['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(expect.objectContaining({ check: 'address', result: 'failed' }));
    expect(next).toMatch(/ help workspace create$/);
  });
});

describe.each(RELEASES)('version $version', (release) => {
  const [bun] = RUNTIMES;
  let project: ProjectDirectory;
  beforeEach(() => {
    project = new ProjectDirectory(bun, release.version);
  });
  afterEach(() => project.dispose());
  /** The words that start the tool in the project directory: the path is relative where that is shorter. */
  const start = (): string => startWords(bundleOf(release.version), project.path, true).join(' ');

  it('prints its version, and the same help for each way to ask', async () => {
    expect(await project.run(['--version'])).toEqual({ code: 0, stdout: `${release.version}\n`, stderr: '' });
    // The parser makes the first one; the others are made without it.
    const help = await project.run(['help']);
    expect(await project.run(['--help'])).toEqual(help);
    expect(await project.run(['-h'])).toEqual(help);
    expect(help.stdout).toMatch(/^Usage: svc \[options\] \[command\]\n/);
    for (const { name } of [...release.groups, ...release.commands])
      expect(help.stdout).toContain(`\n  ${name} `);
  });

  it('has help with an example for every command', async () => {
    const specs = [...release.groups.flatMap(({ commands }) => commands), ...release.commands];
    for (const { name, example, options } of specs) {
      const { code, stdout } = await project.run(['help', ...name.split(' ')]);
      expect(code, name).toBe(0);
      expect(stdout, name).toContain(`Usage: svc ${name}`);
      for (const option of options) expect(stdout, name).toContain(`--${option.name}`);
      expect(stdout, name).toContain(`\nExample:\n  ${start()} ${name}`);
      // The parser takes the example as it stands: what is missing then is a workspace, a file or an address.
      const ran = await project.run([...name.split(' '), ...example], { environment: { SVC_BASE_URL: '' } });
      expect(ran.stderr, name).not.toMatch(/option|argument|unknown command|Expected/i);
    }
  });

  it('prints an example for --example alone, whatever the command requires', async () => {
    const specs = [...release.groups.flatMap(({ commands }) => commands), ...release.commands];
    const demanding = specs.filter(({ options }) => options.some(({ required }) => required));
    expect(demanding.map(({ name }) => name)).toContain('feedback create');
    for (const { name, file } of demanding) {
      const { code, stdout, stderr } = await project.run([...name.split(' '), '--example']);
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' });
      if (file === undefined) expect(stdout, name).toMatch(`${start()} ${name} `);
      else expect(JSON.parse(stdout), name).toEqual(file);
    }
    const { text } = await project.json(['feedback', 'create', '--example']);
    expect(text).toBe(`${start()} feedback create --origin https://app.example.com`);
  });

  it('prints a guide for agents that names every command and exit code', async () => {
    const { stdout } = await project.run(['skill']);
    expect(stdout).toMatch(/^---\nname: svc\ndescription: .+\n---\n/);
    for (const { commands } of release.groups) {
      for (const { name } of commands) expect(stdout).toContain(`${start()} ${name}`);
    }
    expect(stdout).toMatch(/\n- 8: .+\n- 130: /);
  });

  it('completes groups, commands and options in bash', async () => {
    const { stdout } = await project.run(['completion', 'bash']);
    const complete = (...words: string[]): string[] => {
      const script = `${stdout}\nCOMP_WORDS=(svc ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
    };
    expect(complete('work')).toEqual(['workspace']);
    expect(complete('workspace', 'c')).toEqual(['create', 'claim', 'credential']);
    expect(complete('workspace', 'create', '--co')).toEqual(['--cohort']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(complete('doctor', '--j')).toEqual(['--json']);
  });

  it('has scripts for zsh and fish, and exits with 2 for another shell', async () => {
    expect((await project.run(['completion', 'zsh'])).stdout).toMatch(/^#compdef svc\n/);
    const fish = await project.run(['completion', 'fish']);
    expect(fish.stdout).toContain(
      "-n '__fish_seen_subcommand_from workspace; and __fish_seen_subcommand_from create' -l name -r",
    );
    expect((await project.run(['completion', 'tcsh'])).code).toBe(2);
    expect((await project.run(['completion'])).code).toBe(2);
  });
});

describe('the output', () => {
  const [bun] = RUNTIMES;
  let project: ProjectDirectory;
  beforeEach(() => {
    project = new ProjectDirectory(bun, '0.4.0');
  });
  afterEach(() => project.dispose());

  it('has no control characters without a terminal, and one line for each part of a failure', async () => {
    const { stdout, stderr, code } = await project.run(['workspace', 'status']);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(
      /^error: This directory has no workspace\. .+SVC_INSTALLATION_ID.+ \(no_workspace\)\nnext: bun (?:--\S+ ){3}\S+ help workspace create\n$/,
    );
  });

  it('becomes a list in a narrow terminal, and a table in a wide one', async () => {
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', service.url]);
    const discover = 'workspace discover';
    expect(await project.inTerminal(200, 'A=1', discover)).toMatch(/\nproduct +opt-in +version\r?\n/);
    const narrow = await project.inTerminal(30, 'A=1', discover);
    expect(narrow).not.toMatch(/\nproduct +limit /);
    expect(narrow).toMatch(/\nproduct +svcimport\r?\nlimit +/);
  });

  it('is coloured in a terminal only, and not with NO_COLOR or TERM=dumb', async () => {
    const failing = 'workspace status; true';
    expect(await project.inTerminal(80, 'A=1', failing)).toContain('\u001B[31merror');
    expect(await project.inTerminal(80, 'NO_COLOR=1', failing)).not.toContain('\u001B');
    expect(await project.inTerminal(80, 'TERM=dumb', failing)).not.toContain('\u001B');
  });

  it('ends quietly if its reader has gone away', () => {
    const command = `${bun.program} ${bundleOf('0.4.0')} skill | head -n 1`;
    const stdout = execFileSync('bash', ['-o', 'pipefail', '-c', `${command} 2>&1`], { encoding: 'utf8' });
    expect(stdout).toBe('---\n');
  });
});
