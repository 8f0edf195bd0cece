import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';
import { DisturbingProxy } from '../testing/proxy.fixture.ts';

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('a folder .svc on $runtime', (runtime) => {
  /** The receiver of every request that a planted folder causes. */
  let stranger: DisturbingProxy;
  let maker: ProjectDirectory;
  let project: ProjectDirectory;
  beforeEach(async () => {
    stranger = await DisturbingProxy.start(service.url);
    maker = new ProjectDirectory(runtime, '0.4.0');
    project = new ProjectDirectory(runtime, '0.4.0');
  });
  afterEach(async () => {
    maker.dispose();
    project.dispose();
    await stranger.close();
  });

  /** Makes a workspace in another place, and returns its installation. */
  async function make(url: string): Promise<string> {
    const create = ['workspace', 'create', '--name', 'First', '--products', 'svcimport', '--base-url', url];
    return (await maker.json(create)).installationId;
  }

  /** Brings the folder into the project as an archive does that keeps modes. */
  function plant(): void {
    cpSync(join(maker.path, '.svc'), join(project.path, '.svc'), { recursive: true });
    for (const name of readdirSync(join(project.path, '.svc')))
      chmodSync(join(project.path, '.svc', name), 0o600);
    chmodSync(join(project.path, '.svc'), 0o700);
  }

  it.each([
    ['0700', 0o700],
    ['0755', 0o755],
  ])(
    'that an archive brings with mode %s is refused, and each advice that follows sends nothing',
    async (_mode, mode) => {
      const installationId = await make(stranger.url);
      stranger.reset();
      plant();
      chmodSync(join(project.path, '.svc'), mode);
      const commands = [
        ['workspace', 'status'],
        ['workspace', 'create', '--name', 'First', '--products', 'svcimport', '--base-url', stranger.url],
        ['workspace', 'claim'],
        ['import', 'configure', '--config', 'schema.json'],
        ['mcp'],
      ];
      for (const words of commands) {
        const failed = await project.failure(words);
        expect([failed.code, failed.exitCode], words.join(' ')).toEqual(['unknown_state', 1]);
        expect(failed.message).toContain(`It names ${stranger.url}`);
        expect(failed.message).toContain('Move it away');
        const advised = execFileSync('sh', ['-c', failed.next], { cwd: project.path, encoding: 'utf8' });
        expect(failed.message + failed.next + advised).not.toMatch(/chmod|ins_(?!abcdefghijklmnopqrstuvwx)/);
      }
      const doctor = await project.run(['doctor']);
      expect([doctor.code, doctor.stdout]).toEqual([
        8,
        expect.stringMatching(/^folder +failed .*Move it away/m),
      ]);
      expect(stranger.passed).toEqual([]);
      expect(doctor.stdout).not.toContain(installationId);
    },
  );

  it('that was moved on this machine is used', async () => {
    await make(service.url);
    renameSync(join(maker.path, '.svc'), join(project.path, '.svc'));
    const moved = await project.json(['workspace', 'status'], { environment: { HOME: maker.home } });
    expect(moved.name).toBe('First');
  });

  it('of another machine is used once its address and installation are named', async () => {
    const installationId = await make(service.url);
    plant();
    chmodSync(join(project.path, '.svc/workspace.json'), 0o644);
    const trust = (installation: string, url: string) => [
      ...['workspace', 'trust', '--installation', installation, '--base-url', url],
    ];
    for (const words of [trust(`ins_${'a'.repeat(24)}`, service.url), trust(installationId, stranger.url)])
      expect((await project.failure(words)).exitCode).toBe(2);
    expect(stranger.passed).toEqual([]);
    expect((await project.json(trust(installationId, service.url))).installationId).toBe(installationId);
    expect((statSync(join(project.path, '.svc/workspace.json')).mode & 0o777).toString(8)).toBe('600');
    expect((await project.json(['workspace', 'create'])).created).toBe(false);
  });

  it('that git tracks is refused, until it is taken out of the index', async () => {
    await make(service.url);
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', maker.path, ...words], { stdio: 'ignore' });
    git('init');
    git('add', '.');
    expect((await maker.json(['workspace', 'status'])).name).toBe('First');
    git('add', '--force', '.svc');
    const tracked = await maker.failure(['workspace', 'status']);
    expect(tracked).toMatchObject({ code: 'unsafe_state', next: `git -C ${maker.path} rm -r --cached .svc` });
    execFileSync('sh', ['-c', tracked.next]);
    expect((await maker.json(['workspace', 'status'])).name).toBe('First');
  });

  it('is noted without a secret, in the configuration folder of its user', async () => {
    const installationId = await make(service.url);
    const folder = join(maker.home, '.config/svc');
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
    const notes = readdirSync(folder).map((name) => {
      expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
      return readFileSync(join(folder, name), 'utf8');
    });
    expect(notes.map((note) => JSON.parse(note))).toContainEqual({
      ...{ directory: maker.path, baseUrl: service.url, installationId },
    });
    expect(notes.join()).not.toMatch(/svc_(project|provision)/);
    rmSync(folder, { recursive: true });
    expect((await maker.failure(['workspace', 'status'])).code).toBe('unknown_state');
  });

  it('is not made where notes cannot be written, and the folder for them can be named', async () => {
    const create = ['workspace', 'create', '--name', 'First', '--base-url', service.url];
    const failed = await project.failure(create, { environment: { XDG_CONFIG_HOME: '/dev/null' } });
    expect(failed).toMatchObject({
      code: 'state_not_writable',
      message: expect.stringContaining('XDG_CONFIG_HOME'),
    });
    expect(existsSync(join(project.path, '.svc/workspace.json'))).toBe(false);
    const environment = { XDG_CONFIG_HOME: join(project.home, 'elsewhere') };
    await project.json(create, { environment });
    expect((await project.json(['workspace', 'status'], { environment })).name).toBe('First');
    expect((await project.failure(['workspace', 'status'])).code).toBe('unknown_state');
  });
});
