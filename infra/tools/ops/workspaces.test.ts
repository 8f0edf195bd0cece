import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idFrom, workspaceOf } from '../../../schemas/base/ids.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import { FeedbackCustomer } from '../../testing/e2e/feedback/feedback-customer.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { isOnCluster } from '../service-process/service-process.ts';
import { freeEngine, ops, returnEngine } from './ops.fixture.ts';

const PRIVATE = 'The pr1vate map is quick.';
const UNKNOWN = idFrom('installation', Buffer.alloc(15));

let service: ServiceInProcess;
let customer: FeedbackCustomer<ServiceInProcess>;
let folder = '';

beforeAll(async () => {
  service = await ServiceInProcess.start();
  customer = await FeedbackCustomer.of(service);
  await customer.submitted({ message: PRIVATE });
  folder = mkdtempSync(join(tmpdir(), 'svc-ops-'));
});
afterAll(async () => {
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => ops(service.environment, ...words);

/** The actions of the operator in the customer's audit log. */
async function audited(): Promise<string[]> {
  const { body } = await customer.send('GET', '/v1/console/audit', { cookie: customer.cookie });
  return body.entries
    .filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'operator')
    .map(({ action }: { action: string }) => action);
}

describe('npm run ops -- aggregate', () => {
  it('shows documents and outcomes beside a running service, without what a customer wrote', async () => {
    const { data, lines } = await run('aggregate', 'workspaces', workspaceOf(customer.installationId));
    expect(data).toMatchObject({
      root: { state: { name: '(hidden, 8 characters)', state: 'preview', products: [] } },
      rows: expect.arrayContaining([expect.objectContaining({ kind: 'credential' })]),
    });
    expect(lines.join('\n')).toContain('workspaces ins_');
    const text = JSON.stringify(
      await run('aggregate', 'feedback', customer.installationId, '--kind', 'widget'),
    );
    expect(text).toContain(customer.widgetId);
    expect(text).not.toContain('app.example');
  });

  it('names what exists for an unknown id, kind or table', async () => {
    await expect(run('aggregate', 'workspaces', UNKNOWN)).rejects.toThrow('which workspaces does not have');
    await expect(run('aggregate', 'workspaces', customer.installationId, '--kind', 'row')).rejects.toThrow(
      'expected one of credential, outcome',
    );
    await expect(run('aggregate', 'rows', 'x')).rejects.toThrow('table: seen "rows"; expected one of ');
  });

  it('shows everything where it is asked for, and the audit log notes it', async () => {
    await freeEngine(service);
    const { data } = await run('aggregate', 'workspaces', customer.installationId, '--private');
    expect(data).toMatchObject({ root: { state: { name: 'Feedback' } } });
    await returnEngine(service);
    await customer.signIn();
    await expect.poll(audited).toContain('operations.read-aggregate');
  });
});

describe('npm run ops', () => {
  it('exports a workspace with its private files', async () => {
    const target = join(folder, 'export');
    await freeEngine(service);
    const { data } = await run('export', customer.workspaceId, target);
    expect(data).toMatchObject({ files: 1 });
    const documents = readFileSync(join(target, 'documents.jsonl'), 'utf8').trim().split('\n');
    const submission = documents
      .map((line) => JSON.parse(line))
      .find(({ kind }: { kind: string }) => kind === 'submission');
    const name = `feedback/${submission.id.split('/')[1]}.json`;
    expect(readFileSync(join(target, name), 'utf8')).toContain(PRIVATE);
    expect(statSync(join(target, name)).mode & 0o077).toBe(0);
    await expect(run('export', customer.workspaceId, target)).rejects.toThrow('expected a new one');
    await returnEngine(service);
    await customer.signIn();
    await expect.poll(audited).toContain('operations.export');
  });

  it.skipIf(isOnCluster())(
    'exports a workspace beside a document that only a newer release can read',
    async () => {
      const [submission, target] = [await customer.submitted(), join(folder, 'unreadable')];
      await freeEngine(service);
      const database = new DatabaseSync(join(service.environment['SVC_DATA_FOLDER'] ?? '', DATABASE_FILE));
      const name = `%/${submission}`;
      const change = (set: string) =>
        database
          .prepare(`UPDATE aggregate_row SET document = ${set} WHERE kind = 'submission' AND id LIKE ?`)
          .run(name).changes;
      expect(change(`json_set(document, '$.newer', json('{"by":"a newer release"}'))`)).toBe(1);
      expect((await run('export', customer.workspaceId, target)).data).toMatchObject({
        files: 2,
        unreadable: 0,
      });
      expect(change(`json_set(document, '$.blob', json('{"name":"elsewhere"}'))`)).toBe(1);
      const { data, lines } = await run('export', customer.workspaceId, `${target}-too`);
      expect(data).toMatchObject({ files: 1, unreadable: 1 });
      expect(lines.at(-1)).toContain('cannot read 1 document');
      expect(readFileSync(join(`${target}-too`, 'documents.jsonl'), 'utf8')).toContain('elsewhere');
      change(`json_remove(json_set(document, '$.blob', 'gone'), '$.newer')`);
      database.close();
      await returnEngine(service);
      await customer.signIn();
    },
  );

  it('sets switches, which hold for the next request', async () => {
    expect((await run('switches', 'list')).lines).toEqual(['creation  on', 'feedback  on', 'runs  on']);
    await freeEngine(service);
    expect((await run('switches', 'set', 'feedback', 'off')).data).toMatchObject({ feedback: false });
    await returnEngine(service);
    await expect.poll(async () => (await customer.submit()).status).toBe(503);
    await freeEngine(service);
    await run('switches', 'set', 'feedback', 'on');
    await returnEngine(service);
    await expect.poll(async () => (await customer.submit()).status).toBe(202);
    await expect(run('switches', 'set', 'imports', 'on')).rejects.toThrow('one of creation, feedback, runs');
  });

  it('ends a preview, and erases a workspace whose name proves that it is the one meant', async () => {
    await freeEngine(service);
    await run('expire', customer.installationId);
    await expect(run('erase', customer.installationId)).rejects.toThrow('--confirm with the name');
    await returnEngine(service);
    expect((await customer.workspace()).state).toBe('expired');
    await freeEngine(service);
    await run('erase', customer.installationId, '--confirm', 'Feedback');
    await expect(run('erase', customer.installationId, '--confirm', 'Feedback')).rejects.toThrow(
      'which is erased',
    );
    await expect(run('expire', UNKNOWN)).rejects.toThrow('which does not exist');
    await expect(run('expire', 'x')).rejects.toThrow('installation: seen "x"; expected an id such as ins_');
    await returnEngine(service);
    const gone = await customer.send('GET', '/v1/agent/workspace', { bearer: customer.credential });
    expect(gone.status).toBe(401);
  });

  it('counts the records of the topics, and what is left to handle', async () => {
    const { data } = await run('topics');
    const topics = z.array(z.object({ topic: z.string(), records: z.number() })).parse(data['topics']);
    expect(topics.find(({ topic }) => topic === 'feedback')?.records).toBeGreaterThan(0);
    const lag = async () => (await run('lag', '--topic', 'feedback')).lines;
    await expect.poll(lag).toEqual(['No partition is behind.']);
  });

  it.runIf(isOnCluster())('leaves the copies of a cluster to its servers', async () => {
    for (const verb of ['backup', 'restore'])
      await expect(run(verb, join(folder, verb))).rejects.toThrow('its servers instead');
  });

  it.runIf(isOnCluster())('calls no partition of a namespace without topics handled', async () => {
    for (const verb of ['topics', 'lag'])
      await expect(ops({ ...service.environment, SVC_NAMESPACE: 'svc_none' }, verb)).rejects.toThrow(
        'SVC_NAMESPACE: seen svc_none without topics; expected that of a service that was started',
      );
  });

  it('tests a running service', async () => {
    const { data } = await run('self-test', '--url', service.url);
    const steps = (data['steps'] as { step: string }[]).map(({ step }) => step);
    expect(steps.slice(0, 3)).toEqual(['create a workspace', 'report an event', 'import a file']);
    // Without an organization; on a cluster it is erased already.
    if (data['erased'] === true) return;
    await freeEngine(service);
    expect((await run('erase', String(data['installationId']), '--confirm', 'Self-test')).lines[0]).toContain(
      'erased',
    );
    await returnEngine(service);
  });

  it('completes verbs, topics and options', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const [script] = (await run('completion', shell)).lines;
      for (const text of ['svc-ops', 'self-test', 'replay', '--private', 'import-partitions'])
        expect(script).toContain(text);
    }
  });
});
