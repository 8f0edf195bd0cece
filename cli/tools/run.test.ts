import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

/** Uses the variables as a backend does, prints what it gets, and ends with a code. */
const BACKEND = `
const { SVC_BASE_URL: url, SVC_INSTALLATION_ID: id, SVC_CREDENTIAL: credential, KEPT } = process.env;
const headers = { authorization: 'Bearer ' + credential };
const { installationId } = await (await fetch(url + '/v1/agent/workspace', { headers })).json();
console.log(JSON.stringify({ isSame: installationId === id, KEPT, words: process.argv.slice(1) }));
process.exitCode = 42;
`;
const WAITING = `process.on('SIGTERM', () => process.exit(43)); setInterval(() => {}, 1_000); console.log('waits')`;

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start();
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc run on $runtime', (runtime) => {
  let project: ProjectDirectory;
  beforeEach(async () => {
    project = new ProjectDirectory(runtime, '0.2.0');
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', service.url]);
  });
  afterEach(() => project.dispose());

  const run = (script: string, ...words: string[]) => [
    ...['run', '--', process.execPath, '--input-type=module', '--eval', script, ...words],
  ];

  it('gives the command the credential and its exit code, and prints nothing itself', async () => {
    const words = ['--json', '--directory', '/nowhere'];
    // A variable of another workspace does not replace what the folder has.
    const environment = { KEPT: 'kept', SVC_INSTALLATION_ID: 'ins_of_another' };
    const ran = await project.run(run(BACKEND, '--', ...words), { environment });
    expect([ran.code, ran.stderr]).toEqual([42, '']);
    expect(JSON.parse(ran.stdout)).toEqual({ isSame: true, KEPT: 'kept', words });
    const { credential } = JSON.parse(
      readFileSync(join(project.path, '.svc/workspace.json'), 'utf8'),
    ).workspace;
    expect(ran.stdout).not.toContain(credential);
  });

  it('passes a signal on, and ends as the command does', async () => {
    const ran = await project.run(run(WAITING), {
      onStart: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
    });
    expect([ran.code, ran.stdout]).toEqual([43, 'waits\n']);
    expect((await project.run(run(`process.kill(process.pid, 'SIGKILL')`))).code).toBe(137);
  });

  it('leaves the interrupt of a terminal to the terminal, also behind a pipe', async () => {
    // The command interrupts its process group as a terminal does, then has the tool pass another signal on.
    const script = `
      let interrupts = 0;
      process.on('SIGINT', () => { interrupts += 1; if (interrupts === 1) process.kill(process.ppid, 'SIGTERM'); });
      process.on('SIGTERM', () => process.exit(40 + interrupts));
      setInterval(() => {}, 1_000);
      process.kill(0, 'SIGINT');`;
    writeFileSync(join(project.path, 'counts.mjs'), script);
    await project.inTerminal(
      80,
      'setsid --wait',
      `run -- ${process.execPath} counts.mjs < /dev/null`,
      '',
      41,
    );
  });

  it('starts the command also if the service does not answer', async () => {
    project.rewrite((stored) => ({ ...stored, baseUrl: 'http://127.0.0.1:18999' }));
    expect(await project.run(run('process.exitCode = 41'))).toEqual({ code: 41, stdout: '', stderr: '' });
  });

  it('exits with 2 without a command, and with one that cannot be started', async () => {
    for (const words of [['run'], ['run', '--'], ['run', '--', './missing']]) {
      const { code, stderr } = await project.run(words);
      expect([code, stderr], words.join(' ')).toEqual([
        2,
        expect.stringMatching(/^error: .+\nnext: .+ help run\n$/),
      ]);
    }
  });
});
