import { execSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookieOf, exchange, refusal, setUp } from '../../infra/testing/e2e/customer.fixture.ts';
import { newSubmissionId } from '../../infra/testing/e2e/feedback/feedback-customer.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { isOnCluster } from '../../infra/tools/service-process/service-process.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

const TEST_MS = 120_000;
const ORIGIN = 'https://app.example.com';
const CREATE = ['feedback', 'create', '--origin', ORIGIN];
const LIMITS = { workspace: { createdPerAddressHour: 100 } };
const NO_WIDGET = 'wid_aaaaaaaaaaaaaaaaaaaaaaaa';
const NO_SUBMISSION = 'sub_aaaaaaaaaaaaaaaaaaaaaaaa';

const verify = (widgetId: string, submissionId: string) => [
  ...['feedback', 'verify', '--widget', widgetId, '--submission', submissionId],
];

/** Creates the workspace of a directory. */
async function createWorkspace(project: ProjectDirectory, url: string): Promise<string> {
  const create = ['workspace', 'create', '--name', 'Pages', '--base-url', url];
  return (await project.json(create)).workspaceId;
}

/** Sends feedback as a page of the origin does. */
function submit(url: string, widgetId: string, submissionId: string, changes: object = {}) {
  const text = { message: 'The map is quick.', website: '', elapsedMs: 20_000 };
  const json = { schemaVersion: '2026-08-27', submissionId, ...text, ...changes };
  return exchange(`${url}/v1/feedback/${widgetId}/submissions`, 'POST', { origin: ORIGIN, json });
}

let service: ServiceInProcess;
let cookie: string;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: LIMITS });
  cookie = cookieOf(await setUp(service));
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc feedback on $runtime', (runtime) => {
  let project: ProjectDirectory;
  let workspaceId: string;
  beforeEach(async () => {
    project = new ProjectDirectory(runtime, '0.2.0');
    workspaceId = await createWorkspace(project, service.url);
  });
  afterEach(() => project.dispose());

  /** A request of the owner, under the workspace. */
  const owner = (method: string, path: string, json?: object) =>
    exchange(`${service.url}/v1/console/workspaces/${workspaceId}${path}`, method, {
      ...{ origin: service.url, cookie },
      ...(json === undefined ? {} : { json }),
    });

  /** Opens the claim link of the directory as the owner does. */
  async function attach(): Promise<void> {
    const { confirmCode, file } = await project.json(['workspace', 'claim', '--print-path']);
    const [code] = /svc_claim_[0-9A-Za-z]+/.exec(readFileSync(file, 'utf8')) ?? [];
    const attached = await exchange(`${service.url}/v1/console/claims/attach`, 'POST', {
      ...{ origin: service.url, cookie, json: { code, confirm: confirmCode } },
    });
    expect(attached.status).toBe(200);
  }

  it('creates a widget once, and verifies what a page has sent', async () => {
    const created = await project.json(CREATE);
    const { widgetId, loaderUrl } = created;
    expect(created).toEqual({
      widgetId: expect.stringMatching(/^wid_/),
      origin: ORIGIN,
      loaderUrl: `${service.url}/v1/feedback/${widgetId}/loader.v1.js`,
      snippet: `<script async src="${loaderUrl}"></script>`,
      createdAt: expect.any(String),
      next: expect.stringMatching(/ help feedback verify$/),
    });
    const shown = await project.run(CREATE);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(created.snippet)]);
    const submissionId = newSubmissionId();
    expect(await project.failure(verify(widgetId, submissionId))).toMatchObject({
      code: 'not_found',
      exitCode: 5,
      next: expect.stringMatching(/ help feedback verify$/),
    });
    const sent = await submit(service.url, widgetId, submissionId);
    expect(sent.status).toBe(202);
    const verified = { widgetId, submissionId, received: true, receivedAt: sent.body.receivedAt };
    expect(await project.json(verify(widgetId, submissionId))).toMatchObject(verified);
    expect((await project.json(['feedback', 'list'])).widgets).toMatchObject([
      { widgetId, counts: { open: 1 }, verified: { submissionId } },
    ]);
    const told = await project.run(verify(widgetId, submissionId));
    expect(told.stdout).toContain(sent.body.receivedAt);
    expect(told.stderr).toMatch(/^Next: .+ workspace claim\n$/);
    expect(told.stdout + told.stderr).not.toContain('The map');
    const { limits } = await project.json(['workspace', 'status']);
    expect(limits.svcfeedback).toMatchObject({ widgets: { used: 1 }, submissions: { used: 1 } });
  });

  it('exits with 5 for a held submission, and for ids of nothing', async () => {
    const { widgetId } = await project.json(CREATE);
    const held = newSubmissionId();
    expect((await submit(service.url, widgetId, held, { website: 'https://spam.example' })).status).toBe(202);
    for (const words of [
      verify(widgetId, held),
      verify(widgetId, NO_SUBMISSION),
      verify(NO_WIDGET, NO_SUBMISSION),
    ]) {
      expect(await project.failure(words)).toMatchObject({ code: 'not_found', exitCode: 5 });
    }
  });

  it('exits with 2 for what is no origin, and for ids of another form', async () => {
    for (const origin of ['http://app.example.com', `${ORIGIN}/map`, 'https://*.example.com', 'app']) {
      expect(await project.failure(['feedback', 'create', '--origin', origin]), origin).toMatchObject({
        code: 'bad_request',
        exitCode: 2,
        next: expect.stringMatching(/ help feedback create$/),
      });
    }
    for (const words of [
      ['feedback', 'create'],
      verify('wid_1', NO_SUBMISSION),
      verify(NO_WIDGET, NO_WIDGET),
    ]) {
      expect((await project.failure(words)).exitCode, words.join(' ')).toBe(2);
    }
  });

  it('exits with 6 at the limit of widgets, and says what shows the limits', async () => {
    const other = ['feedback', 'create', '--origin', 'https://other.example'];
    await project.json(other);
    const { widgetId, replacedOrigin } = await project.json(CREATE);
    expect(replacedOrigin).toBe('https://other.example');
    expect((await submit(service.url, widgetId, newSubmissionId())).status).toBe(202);
    expect(await project.failure(other)).toMatchObject({
      code: 'limit_reached',
      exitCode: 6,
      message: expect.stringContaining('Waiting does not help.'),
      next: expect.stringMatching(/ workspace status$/),
    });
  });

  it('works during a pause, and exits with 1 after a disconnection', async () => {
    const { widgetId } = await project.json(CREATE);
    const submissionId = newSubmissionId();
    expect((await submit(service.url, widgetId, submissionId)).status).toBe(202);
    const verified = await project.json(verify(widgetId, submissionId));
    await attach();
    await project.run(['doctor']);
    expect(existsSync(join(project.path, '.svc/claim.html'))).toBe(false);
    for (const path of ['/claim', '/pause']) expect((await owner('POST', path, {})).status, path).toBe(200);
    const late = await submit(service.url, widgetId, newSubmissionId());
    expect(refusal(late)).toEqual([403, 'workspace_paused']);
    expect(await project.failure(['workspace', 'claim'])).toMatchObject({
      code: 'already_attached',
      message: expect.stringMatching(/^A person has claimed the workspace already\. .+\/agent-workspaces\//),
    });
    expect(await project.json(verify(widgetId, submissionId))).toEqual(verified);
    expect((await project.json(CREATE)).widgetId).toBe(widgetId);
    expect((await owner('POST', '/disconnect', { confirm: 'Pages' })).status).toBe(200);
    for (const words of [CREATE, verify(widgetId, submissionId)]) {
      expect(await project.failure(words)).toMatchObject({
        code: 'workspace_disconnected',
        exitCode: 1,
        next: expect.stringMatching(/^mv .*\/\.svc .*\/\.svc-/),
      });
    }
  });

  it('exits with 4 with a credential that was revoked, and without a workspace', async () => {
    await attach();
    expect(await project.failure(['workspace', 'claim'])).toMatchObject({
      code: 'already_attached',
      next: expect.stringMatching(/ workspace status$/),
    });
    const { credentials } = (await owner('GET', '')).body;
    const revoked = await owner('DELETE', `/credentials/${credentials[0].credentialId}`);
    expect(revoked.status).toBe(204);
    for (const words of [CREATE, verify(NO_WIDGET, NO_SUBMISSION), ['run', '--', 'true']]) {
      const json = words[0] === 'run' ? ['--json', ...words] : [...words, '--json'];
      const ran = await project.run(json);
      expect(JSON.parse(ran.stderr).error, words.join(' ')).toMatchObject({
        code: 'unauthorized',
        exitCode: 4,
        next: expect.stringMatching(/ help workspace credential$/),
      });
    }
    const store = ['workspace', 'credential', '--stdin'];
    const made = await owner('POST', '/credentials', { idempotencyKey: 'next', name: 'Next' });
    const stored = await project.run([...store, '--json'], { input: `${made.body.credential}\n` });
    expect([stored.code, stored.stderr]).toEqual([0, '']);
    expect(stored.stdout).not.toContain('svc_project_');
    expect((await project.json(CREATE)).origin).toBe(ORIGIN);
    const other = new ProjectDirectory(runtime, '0.2.0');
    expect(await other.failure(CREATE)).toMatchObject({ code: 'no_workspace', exitCode: 4 });
    await createWorkspace(other, service.url);
    for (const input of [made.body.credential, 'svc_project_', '']) {
      const refused = await other.failure(store, { input });
      expect([refused.exitCode, refused.next]).toEqual([2, expect.stringMatching(/ credential$/)]);
    }
    expect((await other.json(['workspace', 'status'])).name).toBe('Pages');
    other.dispose();
  });

  it('brings the workspace into a directory without one, with a credential of its owner', async () => {
    await attach();
    const { installationId } = await project.json(['workspace', 'status']);
    const made = await owner('POST', '/credentials', { idempotencyKey: 'next', name: 'Next' });
    const input = made.body.credential;
    const clone = new ProjectDirectory(runtime, '0.2.0');
    const store = ['workspace', 'credential', '--stdin'];
    expect((await clone.failure(store, { input })).code).toBe('no_workspace');
    const at = [...store, '--base-url', service.url];
    for (const words of [at, [...at, '--installation', `ins_${'a'.repeat(24)}`]]) {
      expect((await clone.failure(words, { input })).exitCode, words.join(' ')).toBe(2);
      expect(existsSync(join(clone.path, '.svc'))).toBe(false);
    }
    const words = [...at, '--installation', installationId];
    expect(await clone.json(words, { input })).toMatchObject({ workspaceId, name: 'Pages' });
    expect((await clone.json(['workspace', 'status'])).workspaceId).toBe(workspaceId);
    expect((await clone.json(['workspace', 'create'])).created).toBe(false);
    expect((await clone.failure(['workspace', 'claim'])).code).toBe('already_attached');
    expect((await clone.json(words, { input })).installationId).toBe(installationId);
    clone.dispose();
  });
});

// The clocks of servers cannot be moved.
describe.skipIf(isOnCluster()).each(SUITE_RUNTIMES)(
  'svc feedback on $runtime after the preview',
  { timeout: TEST_MS },
  (runtime) => {
    it('exits with 5, and says what shows the state', async () => {
      const old = await ServiceInProcess.start({ limits: LIMITS });
      const project = new ProjectDirectory(runtime, '0.4.0');
      try {
        await createWorkspace(project, old.url);
        const { widgetId } = await project.json(CREATE);
        const submissionId = newSubmissionId();
        expect((await submit(old.url, widgetId, submissionId)).status).toBe(202);
        await old.restartAfter(72 * HOUR_MS);
        for (const words of [CREATE, verify(widgetId, submissionId)]) {
          expect(await project.failure(words)).toMatchObject({
            code: 'expired',
            exitCode: 5,
            next: expect.stringMatching(/ workspace status$/),
          });
        }
        const status = await project.run(['workspace', 'status', '--json']);
        const { state, next } = JSON.parse(status.stdout);
        expect([status.code, state, next]).toEqual([5, 'expired', expect.stringMatching(/^mv /)]);
        const shown = await project.run(['workspace', 'status']);
        expect(shown.stdout).toMatch(/^workspace .+The workspace has ended\. .+\n$/s);
        expect(shown.stdout).not.toContain('limit');
        const refused = await project.run(['--json', 'run', '--', 'true']);
        expect([refused.code, JSON.parse(refused.stderr).error]).toMatchObject([5, { next }]);
        const again = ['workspace', 'create', '--name', 'Pages', '--json'];
        expect((await project.run(again)).code).toBe(5);
        execSync(next, { cwd: project.path });
        await createWorkspace(project, old.url);
        expect((await project.json(['workspace', 'status'])).state).toBe('preview');
      } finally {
        project.dispose();
        await old.dispose();
      }
    });
  },
);
