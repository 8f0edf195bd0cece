import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckedSite } from '../../infra/testing/checked-site.fixture.ts';
import { exchange } from '../../infra/testing/e2e/customer.fixture.ts';
import { newSubmissionId } from '../../infra/testing/e2e/feedback/feedback-customer.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { changingRoute, sentBy } from '../../infra/testing/lost-answers/routes.fixture.ts';
import { freePort } from '../../infra/tools/service-process/service-process.ts';
import { ProjectDirectory, RUNTIMES } from './bundles.fixture.ts';
import { DisturbingProxy } from './proxy.fixture.ts';

const ORIGIN = 'https://app.example.com';
const UNKNOWN = / It is not known whether it took effect\. The same command finds out\.$/;
/** More than the requests of any command. */
const RUNS_MAX = 8;

const schemaOf = (revision: number, changes: object = {}) => ({
  name: 'People',
  allowedOrigins: [ORIGIN],
  schema: {
    version: 'svcimport.schema.v1',
    revision,
    fields: [{ key: 'name', type: 'text', required: true, maxLength: 40 + revision }],
  },
  ...changes,
});
const MAPPING = {
  version: 'svcimport.mapping.v1',
  revision: 1,
  columns: [{ source: 'name', target: 'name' }],
};
const checklist = (name: string) =>
  JSON.stringify({
    name,
    allowedOrigins: [],
    steps: [{ key: 'profile', label: 'Profile', description: '', actionPath: '/profile' }],
  });

let service: ServiceInProcess;
let proxy: DisturbingProxy;
let site: CheckedSite;
let project: ProjectDirectory;
beforeAll(async () => {
  site = await CheckedSite.start();
  site.page('/', '<title>Shop</title><h1>Welcome</h1>');
  service = await ServiceInProcess.start({ environment: site.environment });
  proxy = await DisturbingProxy.start(service.url);
  project = new ProjectDirectory(RUNTIMES[1], '0.4.0');
});
afterAll(async () => {
  project?.dispose();
  await proxy?.close();
  await service?.dispose();
  await site?.close();
});

/** The routes whose answers were lost. */
const lostRoutes = new Set<string>();

function file(name: string, content: unknown): string {
  writeFileSync(join(project.path, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

/** A command that has done its work, and the answers of the service that were lost before, by route. */
interface Typed {
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into outputs whose shape is what they check.
  readonly printed: any;
  // biome-ignore lint/suspicious/noExplicitAny: As above.
  readonly first: Readonly<Record<string, any>>;
}

/** Types a command, of which the answer to each change is lost once, after the service made the change. */
async function typedOnce(words: readonly string[]): Promise<Typed> {
  const seen = new Set<string>();
  proxy.reset();
  proxy.decide = ({ method, path }) => {
    const route = changingRoute(method, path);
    if (route === null || seen.has(route)) return 'forward';
    seen.add(route);
    return 'lose';
  };
  const { code, stdout, stderr } = await project.run([...words, '--json']);
  expect([code, stderr], words.join(' ')).toEqual([0, expect.any(String)]);
  return { printed: JSON.parse(stdout), first: noteLost() };
}

/** Types a command until it does its work. Each time, every answer to one further change is lost. */
async function typedAgain(words: readonly string[]): Promise<Typed> {
  const first: Record<string, unknown> = {};
  for (let run = 0; run < RUNS_MAX; run += 1) {
    let losing: string | null = null;
    proxy.reset();
    proxy.decide = ({ method, path }) => {
      const route = changingRoute(method, path);
      if (route === null || route in first || (losing !== null && route !== losing)) return 'forward';
      losing = route;
      return 'lose';
    };
    const { code, stdout, stderr } = await project.run([...words, '--json']);
    if (losing === null) {
      expect([code, stderr], words.join(' ')).toEqual([0, expect.any(String)]);
      return { printed: JSON.parse(stdout), first };
    }
    Object.assign(first, noteLost());
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect(error, losing).toMatchObject({ code: 'network', exitCode: 7 });
    expect(error.message, losing).toMatch(UNKNOWN);
  }
  throw new Error(`running ${words.join(' ')}: it was disturbed without end`);
}

/** Returns the first lost answer of each route. All tries of a request have one key. */
function noteLost(): Record<string, unknown> {
  const first: Record<string, unknown> = {};
  const keys = new Map<string, Set<unknown>>();
  for (const { passing, status, body } of proxy.lost) {
    const route = changingRoute(passing.method, passing.path) ?? '';
    expect(status, `${route}: ${body}`).toBeLessThan(300);
    first[route] ??= JSON.parse(body);
    keys.set(route, (keys.get(route) ?? new Set()).add(passing.headers['idempotency-key'] ?? passing.body));
    lostRoutes.add(route);
  }
  for (const [route, { size }] of keys) expect(size, route).toBe(1);
  return first;
}

/** \`npm run test:all\` loses every answer until a command gives up; any other run only the first of each. */
const typed = process.env['SVC_TEST_ALL'] === 'on' ? typedAgain : typedOnce;

describe('a command whose answers are lost', () => {
  it('creates one workspace, and opens one claim link', async () => {
    const created = await typed([
      ...['workspace', 'create', '--name', 'Once', '--products', 'svcimport,svcactivate'],
      ...['--base-url', proxy.url],
    ]);
    const { workspaceId } = created.first['createWorkspace'];
    expect(created.printed).toMatchObject({ workspaceId, created: true });
    const claim = await typed(['workspace', 'claim', '--print-path']);
    const page = readFileSync(join(project.path, '.svc/claim.html'), 'utf8');
    expect(page).toContain(new URL(claim.first['openClaimLink'].claimUrl).hash);
    expect(claim.printed.confirmCode).toBe(claim.first['openClaimLink'].confirmCode);
  });

  it('imports one file, in one schema with two revisions', async () => {
    const config = ['import', 'configure', '--config'];
    const { first, printed } = await typed([...config, file('schema.json', schemaOf(1))]);
    const { schemaId } = first['createImportSchema'];
    expect(printed).toMatchObject({ schemaId, revision: 1 });
    const revised = await typed([...config, file('second.json', schemaOf(2, { schemaId }))]);
    expect(revised.printed).toMatchObject({ schemaId, revision: 2 });
    file('people.csv', 'name\nAda\nBob\n');
    const upload = ['import', 'upload', '--schema', schemaId, '--revision', '2', '--file', 'people.csv'];
    const uploaded = await typed(upload);
    const { importId } = uploaded.first['reserveImport'];
    expect(uploaded.printed).toMatchObject({ importId, failure: null });
    const mapping = file('mapping.json', MAPPING);
    await typed(['import', 'map', '--import', importId, '--mapping', mapping]);
    const validated = await typed(['import', 'validate', '--import', importId, '--wait']);
    expect(validated.printed).toMatchObject({ importId, status: 'ready', validations: { used: 1 } });
    const cancelled = await typed(['import', 'cancel', '--import', importId, '--yes']);
    expect(cancelled.printed).toMatchObject({ importId, status: 'cancelled' });
    const { limits } = await project.json(['workspace', 'status']);
    expect(limits.svcimport.imports.used).toBe(1);
  });

  it('creates one checklist with two revisions, and reports one milestone', async () => {
    const { first, printed } = await typed(['activate', 'create', '--configuration-json', checklist('One')]);
    const { checklistId } = first['createChecklist'];
    expect(printed).toMatchObject({ checklistId, revision: 1 });
    const named = ['--checklist', checklistId];
    const revise = ['activate', 'revise', ...named, '--expected-revision', '1'];
    const revised = await typed([...revise, '--configuration-json', checklist('Two')]);
    expect(revised.printed).toMatchObject({ checklistId, revision: 2 });
    const event = await typed(['activate', 'test', ...named, '--event', 'profile']);
    expect(event.printed.eventId).toBe(event.first['recordEvent'].eventId);
  });

  it('creates one widget, and verifies a submission', async () => {
    const { first, printed } = await typed(['feedback', 'create', '--origin', ORIGIN]);
    const { widgetId } = first['createWidget'];
    expect(printed.widgetId).toBe(widgetId);
    const submissionId = newSubmissionId();
    const text = { message: 'The map is quick.', website: '', elapsedMs: 20_000, path: '/' };
    await exchange(`${service.url}/v1/feedback/${widgetId}/submissions`, 'POST', {
      origin: ORIGIN,
      json: { schemaVersion: '2026-08-27', submissionId, ...text },
    });
    const verified = await typed([
      ...['feedback', 'verify', '--widget', widgetId, '--submission', submissionId],
    ]);
    expect(verified.printed).toMatchObject({ submissionId, received: true });
  });

  it('names one origin, proves it, creates one suite and runs it once', async () => {
    const named = await typed(['check', 'origin', '--origin', site.origin]);
    const { originId, challenge } = named.first['createCheckOrigin'];
    expect(named.printed).toMatchObject({ originId, challenge });
    site.publish(challenge);
    const confirmed = await typed(['check', 'confirm', '--origin-id', originId]);
    expect(confirmed.printed).toMatchObject({ originId, state: 'verified' });
    const create = ['check', 'create', '--origin-id', originId, '--url', `${site.origin}/`];
    const suite = await typed([...create, '--heading', 'Welcome']);
    const { suiteId } = suite.first['createCheckSuite'];
    expect(suite.printed.suiteId).toBe(suiteId);
    const run = await typed(['check', 'run', '--suite', suiteId, '--wait']);
    expect(run.printed.runId).toBe(run.first['createCheckRun'].runId);
  });

  it('names the key of a run that no file keeps', async () => {
    const { suites } = await project.json(['check', 'list']);
    let environment: Record<string, string> = {};
    project.rewrite((stored) => {
      const { installationId = '', credential = '' } = stored.workspace ?? {};
      environment = {
        SVC_BASE_URL: proxy.url,
        SVC_INSTALLATION_ID: installationId,
        SVC_CREDENTIAL: credential,
      };
      return stored;
    });
    const elsewhere = new ProjectDirectory(RUNTIMES[1], '0.4.0');
    try {
      proxy.reset();
      proxy.decide = ({ method, path }) =>
        changingRoute(method, path) === 'createCheckRun' ? 'lose' : 'forward';
      const words = ['check', 'run', '--suite', suites[0].suiteId];
      const failed = await elsewhere.failure(words, { environment });
      expect(failed.message).toMatch(
        /not known whether the run was started\. The command below finds out\.$/,
      );
      proxy.decide = () => 'forward';
      const key = /--idempotency-key (cli-\S+)/.exec(failed.next)?.[1] ?? '';
      const found = await elsewhere.json([...words, '--idempotency-key', key], { environment });
      expect(found.runId).toBe(JSON.parse(proxy.lost[0]?.body ?? '').runId);
    } finally {
      elsewhere.dispose();
    }
  });

  it('says nothing of the kind where no connection was made', async () => {
    const nowhere = new ProjectDirectory(RUNTIMES[1], '0.4.0');
    const create = [
      'workspace',
      'create',
      '--name',
      'Nowhere',
      '--base-url',
      `http://127.0.0.1:${await freePort()}`,
    ];
    expect((await nowhere.failure(create)).message).not.toContain('not known');
    nowhere.dispose();
  });

  it('loses the answer of each route that the tool sends', () => {
    const byMcp = ['callMcp'];
    expect([...lostRoutes].toSorted()).toEqual(
      sentBy('tool')
        .filter((name) => !byMcp.includes(name))
        .toSorted(),
    );
  });
});
