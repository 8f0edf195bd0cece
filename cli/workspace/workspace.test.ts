import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { SECRET_BYTES, secretFrom } from '../../schemas/base/secrets.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

/** Another user and group than those of the test. */
const OTHER_USER = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stdout.write('Left out: a folder of another user, which only root can make.\n');
const SECRET = /svc_(project|provision|claim)_[0-9A-Za-z]{8}/;

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc workspace on $runtime', (runtime) => {
  let project: ProjectDirectory;
  beforeEach(() => {
    project = new ProjectDirectory(runtime, '0.2.0');
  });
  afterEach(() => project.dispose());

  const create = () => ['workspace', 'create', '--name', 'First', '--base-url', service.url];
  const file = (name: string) => join(project.path, '.svc', name);

  it('discovers a service without a workspace', async () => {
    const found = await project.json(['workspace', 'discover', '--base-url', service.url]);
    expect(found.hosts.base).toBe(service.url);
    expect(found.products.map(({ name }: { name: string }) => name)).toContain('svcimport');
    expect(found.downloads.map(({ name }: { name: string }) => name)).toContain('svc-cli-v0.2.0.js');
    expect(existsSync(file(''))).toBe(false);
  });

  it('creates a workspace, keeps its secrets private, and shows it again in a repeat', async () => {
    const ran = await project.run([...create(), '--products', 'svcimport,svcactivate', '--json']);
    const { next, ...created } = JSON.parse(ran.stdout);
    expect(next).toMatch(/ help activate create$/);
    expect(created).toMatchObject({
      created: true,
      name: 'First',
      cohort: 'external',
      products: ['svcactivate', 'svcimport'],
      state: 'preview',
      limits: { svcimport: { imports: { limit: 3, used: 0, remaining: 3 } } },
    });
    expect(ran.stdout + ran.stderr).not.toMatch(SECRET);
    expect((statSync(file('')).mode & 0o777).toString(8)).toBe('700');
    for (const name of ['workspace.json', '.gitignore']) {
      expect((statSync(file(name)).mode & 0o777).toString(8), name).toBe('600');
    }
    expect(readFileSync(file('.gitignore'), 'utf8')).toBe('*\n');
    const repeated = await project.json(['workspace', 'create']);
    expect(repeated).toEqual({ ...created, created: false, next });
    expect(await project.json(['workspace', 'status'])).toMatchObject({ workspaceId: created.workspaceId });
  });

  it('leads from a limit that is used up to the person who can raise it', async () => {
    await project.json(create());
    const status = async () => await project.run(['workspace', 'status']);
    expect((await status()).stdout).not.toContain('used up');
    await project.json(['feedback', 'create', '--origin', 'https://app.example.com']);
    expect((await status()).stdout).toContain('The preview has used up its limit of widgets.');
    expect((await project.json(['workspace', 'status'])).next).toMatch(/ workspace claim$/);
  });

  it('creates one workspace for two commands at the same time', async () => {
    const outcomes = await Promise.all([project.json(create()), project.json(create())]);
    expect(new Set(outcomes.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    expect(outcomes.map(({ created }) => created).sort()).toEqual([false, true]);
  });

  it('finishes a creation whose answer was lost', async () => {
    const first = await project.json(create());
    project.rewrite((stored) => ({ ...stored, workspace: null }));
    expect(await project.failure(['workspace', 'status'])).toMatchObject({
      code: 'unfinished_creation',
      exitCode: 4,
      next: expect.stringMatching(/ workspace create --name First$/),
    });
    const again = await project.json(['workspace', 'create']);
    expect(again).toEqual({ ...first, created: true });
  });

  it('begins at another address with another token, until an answer came from the first one', async () => {
    const wrong = [...create().slice(0, -1), 'http://127.0.0.1:18999'];
    expect((await project.failure(wrong)).exitCode).toBe(7);
    expect((await project.failure(['workspace', 'status'])).message).toContain('http://127.0.0.1:18999');
    const token = () => JSON.parse(readFileSync(file('workspace.json'), 'utf8')).provisionToken;
    const first = token();
    const right = await project.json(create().with(3, 'Second'));
    expect([right.created, right.name]).toEqual([true, 'Second']);
    expect(token()).not.toBe(first);
    expect((await project.failure(wrong)).exitCode).toBe(2);
  });

  it('refuses options of another workspace, and another service', async () => {
    await project.json(create());
    expect(await project.failure(['workspace', 'create', '--name', 'Second'])).toMatchObject({
      exitCode: 2,
      next: expect.stringContaining('--name First --cohort external'),
    });
    for (const words of [
      ['workspace', 'status'],
      ['workspace', 'create'],
    ]) {
      const failed = await project.failure([...words, '--base-url', 'https://api.example.com']);
      expect([failed.exitCode, failed.message]).toEqual([2, expect.stringContaining(service.url)]);
    }
    const environment = { SVC_BASE_URL: 'https://api.example.com' };
    expect((await project.failure(['workspace', 'status'], { environment })).exitCode).toBe(2);
  });

  it('leaves nothing behind that blocks the next try, if the service refuses the input', async () => {
    const refused = await project.failure([...create().with(3, 'a'.repeat(81))]);
    expect(refused).toMatchObject({
      code: 'bad_request',
      exitCode: 2,
      requestId: expect.stringMatching(/^req_/),
      message: expect.stringContaining('body.name'),
    });
    expect(existsSync(file('workspace.json'))).toBe(false);
    expect((await project.json(create())).created).toBe(true);
  });

  it('says which directory has the workspace in a directory below it', async () => {
    const { workspaceId } = await project.json(create());
    const refused = await project.failure(['workspace', 'status'], { below: 'a/b' });
    expect([refused.exitCode, refused.message]).toEqual([2, expect.stringContaining(project.path)]);
    expect((await project.failure(create(), { below: 'a/b' })).exitCode).toBe(2);
    const named = await project.json(['workspace', 'status', '--directory', '../..'], { below: 'a/b' });
    expect(named.workspaceId).toBe(workspaceId);
    const other = await project.json([...create(), '--directory', '.'], { below: 'a/b' });
    expect(other.workspaceId).not.toBe(workspaceId);
  });

  it('refuses a folder that others can open, or that is a link, and says what helps', async () => {
    await project.json(create());
    chmodSync(file('workspace.json'), 0o644);
    const readable = await project.failure(['workspace', 'status']);
    expect(readable).toMatchObject({ code: 'unsafe_state', exitCode: 1 });
    expect(readable.next).toBe(`chmod 600 ${file('workspace.json')}`);
    chmodSync(file('workspace.json'), 0o600);
    chmodSync(file(''), 0o750);
    expect(await project.failure(['workspace', 'status'])).toMatchObject({
      code: 'unsafe_state',
      next: `chmod 700 ${file('').replace(/\/$/, '')}`,
    });
    const other = new ProjectDirectory(runtime, '0.2.0');
    mkdirSync(join(other.path, 'elsewhere'), { mode: 0o700 });
    symlinkSync('elsewhere', join(other.path, '.svc'));
    const linked = join(other.path, '.svc');
    expect(await other.failure(create())).toMatchObject({
      code: 'unsafe_state',
      next: expect.stringMatching(new RegExp(`^mv ${linked} ${linked}-`)),
    });
    other.dispose();
  });

  it('makes git leave the folder out again, whatever happened to the file that says so', async () => {
    mkdirSync(file(''), { mode: 0o700 });
    writeFileSync(file('.gitignore'), '');
    await project.json(create());
    expect(readFileSync(file('.gitignore'), 'utf8')).toBe('*\n');
    const folderCheck = async () => (await project.json(['doctor'])).checks[0];
    expect(await folderCheck()).toMatchObject({ check: 'folder', result: 'ok' });
    const damages = [
      () => rmSync(file('.gitignore')),
      () => writeFileSync(file('.gitignore'), '!*\n'),
      () => {
        rmSync(file('.gitignore'));
        symlinkSync('/dev/null', file('.gitignore'));
      },
    ];
    for (const damage of damages) {
      damage();
      await project.json(['workspace', 'status']);
      expect(readFileSync(file('.gitignore'), 'utf8')).toBe('*\n');
      damage();
      expect(await folderCheck()).toMatchObject({
        result: 'warning',
        detail: expect.stringContaining('git'),
      });
      expect(await folderCheck()).toMatchObject({ result: 'ok' });
    }
  });

  it.skipIf(!isRoot)('refuses a folder, and a file in it, that belongs to another user', async () => {
    await project.json(create());
    for (const path of [file('workspace.json'), file('')]) {
      chownSync(path, OTHER_USER, OTHER_USER);
      expect(await project.failure(['workspace', 'status']), path).toMatchObject({
        code: 'unsafe_state',
        exitCode: 1,
        message: expect.stringMatching(/\.svc\S* belongs to another user\.$/),
      });
      chownSync(path, 0, 0);
    }
    expect((await project.json(['workspace', 'status'])).name).toBe('First');
  });

  it('opens the claim link without printing it, and prints a file where there is no browser', async () => {
    await project.json(create());
    const bin = join(project.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > "${join(bin, 'opened')}"\n`, {
      mode: 0o755,
    });
    const environment = { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':0' };
    const opened = await project.run(['workspace', 'claim', '--json'], { environment });
    expect(JSON.parse(opened.stdout)).toMatchObject({ opened: true, file: file('claim.html') });
    expect(readFileSync(join(bin, 'opened'), 'utf8')).toBe(`${file('claim.html')}\n`);
    expect((statSync(file('claim.html')).mode & 0o777).toString(8)).toBe('600');
    const page = readFileSync(file('claim.html'), 'utf8');
    expect(page).toMatch(/url=http:\/\/[^"]+\/agent-workspaces\/claim#svc_claim_/);
    const shown = await project.run(['workspace', 'claim'], { environment: { DISPLAY: '' } });
    expect(shown.stdout).toMatch(
      /^open this file +\/\S+\/\.svc\/claim\.html\nconfirm code +[A-Z0-9]{4}\nlink ends +\S+ \(in .+\)\n$/,
    );
    expect(readFileSync(file('claim.html'), 'utf8')).not.toBe(page);
    expect(opened.stdout + opened.stderr + shown.stdout + shown.stderr).not.toMatch(SECRET);
  });

  it('opens the claim link by the first program of BROWSER that works, but not on a remote machine', async () => {
    await project.json(create());
    const path = join(project.path, 'view');
    writeFileSync(path, `#!/bin/sh\necho "$@" > "${path}.opened"\n`, { mode: 0o755 });
    const browser = { BROWSER: `./missing:false:${path} --new %s` };
    const claim = async (environment: Record<string, string>) =>
      (await project.json(['workspace', 'claim'], { environment })).opened;
    expect(await claim({ ...browser, SSH_CONNECTION: '1' })).toBe(false);
    expect(await claim({ ...browser, VSCODE_IPC_HOOK_CLI: '1' })).toBe(false);
    expect(existsSync(`${path}.opened`)).toBe(false);
    expect(await claim(browser)).toBe(true);
    expect(readFileSync(`${path}.opened`, 'utf8')).toBe(`--new ${file('claim.html')}\n`);
    expect(await claim({ BROWSER: 'false' })).toBe(false);
  });

  it('claims a preview in the directory that created it only', async () => {
    await project.json(create());
    const { installationId, expiresAt } = await project.json(['workspace', 'status']);
    const { workspace } = JSON.parse(readFileSync(file('workspace.json'), 'utf8'));
    const second = new ProjectDirectory(runtime, '0.2.0');
    const bring = ['workspace', 'credential', '--stdin', '--base-url', service.url];
    await second.json([...bring, '--installation', installationId], { input: workspace.credential });
    const refusal = {
      code: 'created_elsewhere',
      exitCode: 1,
      message: expect.stringMatching(`^Only the directory that created .+ ${expiresAt} `),
      next: null,
      requestId: null,
    };
    expect(await second.failure(['workspace', 'claim'])).toMatchObject(refusal);
    // Earlier versions put a random token into the file.
    const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
    second.rewrite((before) => ({ ...before, provisionToken }));
    expect(await second.failure(['workspace', 'claim'])).toMatchObject(refusal);
    second.dispose();
  });

  it('removes the file of a claim link that has ended', async () => {
    await project.json(create());
    await project.json(['workspace', 'claim', '--print-path']);
    writeFileSync(file('claim.json'), JSON.stringify({ expiresAt: '2026-01-01T00:00:00.000Z' }), {
      mode: 0o600,
    });
    await project.json(['workspace', 'status']);
    expect([existsSync(file('claim.html')), existsSync(file('claim.json'))]).toEqual([false, false]);
  });

  it.each([
    ['activate', 'activate create'],
    ['feedback', 'feedback create'],
    ['check', 'check'],
  ])('names the next command where %s list is empty', async (group, next) => {
    await project.json([...create(), '--products', 'svcactivate,svcimport']);
    const { stdout, stderr } = await project.run([group, 'list']);
    expect(stdout).toContain('There is none yet.');
    expect(stdout + stderr).toMatch(new RegExp(` help ${next}\n$`));
  });

  it('fails without a workspace, an address or a command', async () => {
    expect(await project.failure(['workspace', 'status'])).toMatchObject({
      code: 'no_workspace',
      exitCode: 4,
    });
    expect((await project.failure(['workspace', 'create', '--name', 'First'])).message).toContain(
      '--base-url',
    );
    const plain = await project.failure([...create().with(5, 'http://api.example.com')]);
    expect([plain.exitCode, plain.message]).toEqual([2, expect.stringContaining('http:')]);
    expect(existsSync(file(''))).toBe(false);
    for (const words of [['workspace'], [], ['workspace', 'destroy'], ['workspace', 'status', '--fast']]) {
      const { code, stdout, stderr } = await project.run(words);
      expect([code, stdout], words.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(/\nnext: .+ help/);
    }
  });

  it('exits with 7 if nothing listens', async () => {
    const refused = await project.failure(['workspace', 'discover', '--base-url', 'http://127.0.0.1:18999']);
    expect(refused).toMatchObject({ code: 'network', exitCode: 7, next: expect.stringContaining('doctor') });
  });
});
