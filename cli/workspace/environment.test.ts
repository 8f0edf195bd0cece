import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, RUNTIMES } from '../testing/bundles.fixture.ts';

const STATUS = ['workspace', 'status'];

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(RUNTIMES)('the environment of a command on $runtime', (runtime) => {
  /** Has the workspace. */
  let maker: ProjectDirectory;
  /** Has none. */
  let project: ProjectDirectory;
  let environment: Record<'SVC_BASE_URL' | 'SVC_INSTALLATION_ID' | 'SVC_CREDENTIAL', string>;
  beforeEach(async () => {
    maker = new ProjectDirectory(runtime, '0.4.0');
    project = new ProjectDirectory(runtime, '0.4.0');
    const create = ['workspace', 'create', '--name', 'First', '--products', 'svcimport'];
    const { installationId } = await maker.json([...create, '--base-url', service.url]);
    const stored = JSON.parse(readFileSync(join(maker.path, '.svc/workspace.json'), 'utf8'));
    environment = {
      SVC_BASE_URL: service.url,
      SVC_INSTALLATION_ID: installationId,
      SVC_CREDENTIAL: stored.workspace.credential,
    };
  });
  afterEach(() => {
    maker.dispose();
    project.dispose();
  });

  it('names a workspace where the directory has none', async () => {
    expect((await project.json(STATUS, { environment })).name).toBe('First');
    const { SVC_CREDENTIAL: credential, ...others } = environment;
    mkdirSync(join(project.home, 'data'));
    writeFileSync(join(project.home, 'data/credential'), `${credential}\n`);
    symlinkSync('data/credential', join(project.home, 'credential'));
    const named = { ...others, SVC_CREDENTIAL_FILE: join(project.home, 'credential') };
    const { checks } = await project.json(['doctor'], { environment: named });
    // The browser is the service's, whatever the environment names.
    const ofEnvironment = checks.filter(({ check }: { check: string }) => check !== 'browser');
    expect(ofEnvironment.map(({ result }: { result: string }) => result)).toEqual(Array(6).fill('ok'));
    const schema = {
      version: 'svcimport.schema.v1',
      revision: 1,
      fields: [{ key: 'a', type: 'text', required: true }],
    };
    const configuration = { name: 'People', allowedOrigins: ['https://app.example.com'], schema };
    writeFileSync(join(project.path, 'schema.json'), JSON.stringify(configuration));
    const configured = await project.run(['import', 'configure', '--config', 'schema.json'], {
      environment: named,
    });
    expect([configured.code, configured.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Sending \\S+/schema\\.json to ${service.url}\\.\n`)),
    ]);
    const again = ['workspace', 'create', '--name', 'Second'];
    expect((await project.failure(again, { environment })).message).toContain('Unset SVC_CREDENTIAL');
    expect((await project.failure(['workspace', 'claim'], { environment })).code).toBe('no_workspace');
  });

  it('is refused if it is incomplete, or names a workspace other than the directory', async () => {
    const wrong = [
      { ...environment, SVC_INSTALLATION_ID: '' },
      { ...environment, SVC_BASE_URL: '' },
      { ...environment, SVC_CREDENTIAL: `${environment.SVC_CREDENTIAL}x` },
      { ...environment, SVC_CREDENTIAL: '', SVC_CREDENTIAL_FILE: '/dev/null' },
    ];
    for (const each of wrong) {
      const failed = await project.failure(STATUS, { environment: each });
      expect([failed.exitCode, failed.message]).toEqual([2, expect.stringMatching(/SVC_CREDENTIAL/)]);
      expect(failed.message).not.toContain('svc_project_');
    }
    const other = { ...environment, SVC_INSTALLATION_ID: `ins_${'a'.repeat(24)}` };
    expect((await maker.failure(STATUS, { environment: other })).exitCode).toBe(2);
    expect((await maker.json(STATUS, { environment })).name).toBe('First');
  });

  it('counts as the caller gave it, without the .env file of a project', async () => {
    const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(project.path, '.env.local'), lines.join(''));
    const failed = await project.run(STATUS);
    expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('no_workspace')]);
    // A planted folder for notes would make a planted .svc known.
    writeFileSync(
      join(maker.path, '.env'),
      'export XDG_CONFIG_HOME=/nowhere\nHTTPS_PROXY="http://127.0.0.1:9"\n',
    );
    expect((await maker.json(STATUS)).name).toBe('First');
  });
});
