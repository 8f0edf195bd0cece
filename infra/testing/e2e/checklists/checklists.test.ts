import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checklistAnswerSchema,
  checklistExportSchema,
  checklistHistorySchema,
  checklistListSchema,
  eventAnswerSchema,
  progressSchema,
  progressSessionAnswerSchema,
  summarySchema,
} from '../../../../schemas/activate/http.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ORIGIN, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ChecklistsCustomer, configuration, subjectOf } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];

let customer: ChecklistsCustomer<ServiceProcess>;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  const service = await ServiceProcess.start({ limits: { http, workspace } });
  customer = await ChecklistsCustomer.of(service, KEYS);
});

afterAll(async () => {
  await customer.service.dispose();
});

describe('the main job over HTTP', () => {
  it('goes from a configuration to progress that a page reads', async () => {
    const neighbour = await customer.another(KEYS);
    const first = await neighbour.event('ada', 'import');
    expect(first.status).toBe(200);
    expect(eventAnswerSchema.parse(first.body)).toMatchObject({
      outcome: 'completed',
      completedSteps: 1,
      totalSteps: 3,
      complete: false,
    });
    const issued = await neighbour.session('ada');
    expect(issued.status).toBe(201);
    expect(issued.headers.get('cache-control')).toBe('no-store');
    const { token, progressUrl } = progressSessionAnswerSchema.parse(issued.body);
    expect(progressUrl).toBe(`${customer.service.url}/v1/activate/progress`);
    const { status, headers, body } = await neighbour.progress(token);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(progressSchema.parse(body)).toEqual({
      schemaVersion: '2026-09-07',
      name: 'Getting started',
      revision: 1,
      steps: configuration(KEYS).steps.map((step) => ({ ...step, completed: step.key === 'import' })),
      completedSteps: 1,
      totalSteps: 3,
      complete: false,
    });
    for (const key of ['connect', 'invite']) await neighbour.event('ada', key);
    expect((await neighbour.progress(token)).body).toMatchObject({ completedSteps: 3, complete: true });
  });

  it('answers a repeat like the first time, and other input with the key as a conflict', async () => {
    const neighbour = await customer.another(KEYS);
    const idempotencyKey = 'outbox record 7';
    const first = await neighbour.event('ada', 'import', { idempotencyKey });
    await neighbour.event('ada', 'connect');
    const again = await neighbour.event('ada', 'import', { idempotencyKey });
    expect(again).toMatchObject({ status: 200, body: first.body });
    const changed = await neighbour.event('ada', 'invite', { idempotencyKey });
    expect(refusal(changed)).toEqual([409, 'idempotency_conflict']);
    const other = await neighbour.event('grace', 'import', { idempotencyKey });
    expect(refusal(other)).toEqual([409, 'idempotency_conflict']);
    expect((await neighbour.limits()).events.used).toBe(2);
  });

  it('answers a repeated milestone with another key as already completed', async () => {
    const neighbour = await customer.another(KEYS);
    const first = await neighbour.event('ada', 'import');
    const second = await neighbour.event('ada', 'import');
    expect(second.body).toMatchObject({ outcome: 'already_completed', completedSteps: 1 });
    expect(second.body.eventId).not.toBe(first.body.eventId);
    expect(await neighbour.summary()).toMatchObject({ enrollments: 1, acceptedEvents: 2 });
  });

  it('keeps the revision of an enrollment, and gives new subjects the current one', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    const revised = await neighbour.revise(1, ['import', 'pay']);
    expect(revised.status).toBe(200);
    expect(checklistAnswerSchema.parse(revised.body)).toMatchObject({ revision: 2 });
    expect((await neighbour.event('ada', 'invite')).body).toMatchObject({ totalSteps: 3 });
    expect(refusal(await neighbour.event('ada', 'pay'))).toEqual([400, 'bad_request']);
    expect((await neighbour.event('grace', 'pay')).body).toMatchObject({ totalSteps: 2 });
    expect(refusal(await neighbour.event('grace', 'invite'))).toEqual([400, 'bad_request']);
    const pages = await Promise.all(['ada', 'grace', 'new'].map((user) => neighbour.token(user)));
    const seen = await Promise.all(pages.map((token) => neighbour.progress(token)));
    expect(seen.map(({ body }) => [body.revision, body.completedSteps])).toEqual([
      [1, 2],
      [2, 1],
      [2, 0],
    ]);
    expect(await neighbour.summary(1)).toMatchObject({ enrollments: 1, complete: 0, acceptedEvents: 2 });
    expect(await neighbour.summary(2)).toMatchObject({ enrollments: 1, complete: 0, acceptedEvents: 1 });
  });

  it('counts by revision and cohort', async () => {
    const neighbour = await customer.another(['one', 'two']);
    for (const user of ['ada', 'grace']) await neighbour.event(user, 'one');
    await neighbour.event('ada', 'two');
    expect(summarySchema.parse(await neighbour.summary())).toEqual({
      schemaVersion: '2026-09-07',
      checklistId: neighbour.checklistId,
      revision: 1,
      cohort: 'test',
      enrollments: 2,
      complete: 1,
      acceptedEvents: 3,
      steps: [
        { key: 'one', completed: 2 },
        { key: 'two', completed: 1 },
      ],
    });
    expect(await neighbour.summary(1, 'live')).toMatchObject({ enrollments: 0, acceptedEvents: 0 });
    const never = await neighbour.agent('GET', `/${neighbour.checklistId}/summary?revision=2&cohort=test`);
    expect(refusal(never)).toEqual([404, 'not_found']);
  });

  it('knows real subjects only after the claim, for which an accepted event is enough', async () => {
    const neighbour = await customer.another(KEYS);
    const live = { cohort: 'live' };
    expect(refusal(await neighbour.event('ada', 'import', live))).toEqual([403, 'claim_required']);
    expect(refusal(await neighbour.session('ada', live))).toEqual([403, 'claim_required']);
    expect(refusal(await neighbour.owner('POST', '/claim', {}))).toEqual([409, 'state_conflict']);
    await neighbour.event('ada', 'import');
    const { body } = await neighbour.owner('GET', '');
    expect(body.inventory).toMatchObject({ importSchemas: 0, imports: 0, checklists: 1, enrollments: 1 });
    expect(body.results).toMatchObject([{ kind: 'checklist', id: neighbour.checklistId }]);
    await neighbour.claim();
    expect((await neighbour.event('ada', 'connect', live)).body).toMatchObject({ completedSteps: 1 });
    expect(await neighbour.summary(1, 'live')).toMatchObject({ enrollments: 1, acceptedEvents: 1 });
  });
});

describe('what is read of checklists', () => {
  it('is the same for agent and owner', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.create(['only']);
    await neighbour.revise(1, ['import']);
    await neighbour.event('ada', 'import');
    const listed = await neighbour.agent('GET', '');
    expect(checklistListSchema.parse(listed.body).checklists).toMatchObject([
      { checklistId: neighbour.checklistId, revision: 2 },
      { revision: 1 },
    ]);
    expect((await neighbour.owner('GET', '/checklists')).body).toEqual(listed.body);
    const path = `/checklists/${neighbour.checklistId}`;
    const history = checklistHistorySchema.parse((await neighbour.owner('GET', path)).body);
    expect(
      history.revisions.map(({ revision, configuration: { steps } }) => [revision, steps.length]),
    ).toEqual([
      [1, 3],
      [2, 1],
    ]);
    const summary = await neighbour.owner('GET', `${path}/summary?revision=2&cohort=test`);
    expect(summary.body).toEqual(await neighbour.summary(2));
    const exported = await neighbour.owner('GET', `${path}/export`);
    expect(exported.headers.get('content-disposition')).toBe(
      `attachment; filename="checklist-${neighbour.checklistId}.json"`,
    );
    const file = checklistExportSchema.parse(exported.body);
    expect(file.configuration).toEqual(history);
    expect(file.aggregates.map(({ revision, cohort, complete }) => [revision, cohort, complete])).toEqual([
      [1, 'test', 0],
      [1, 'live', 0],
      [2, 'test', 1],
      [2, 'live', 0],
    ]);
    expect(JSON.stringify(exported.body)).not.toContain(subjectOf('ada'));
  });

  it('shows the limits in use, of the product and of the workspace', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    const { body } = await neighbour.look('svcactivate');
    const allowance = (limit: number) => ({ limit, used: 1, remaining: limit - 1, resetsAt: null });
    const limits = { checklists: allowance(2), enrollments: allowance(25), events: allowance(200) };
    expect(body).toEqual({
      installationId: neighbour.installationId,
      product: 'svcactivate',
      state: 'preview',
      plan: 'preview',
      limits,
    });
    expect((await neighbour.look('workspace')).body.limits.svcactivate).toEqual(limits);
  });

  it('is discovered with the other products, without a credential', async () => {
    const { body } = await customer.send('GET', '/v1/agent/capabilities', {});
    const product = body.products.find(({ name }: { name: string }) => name === 'svcactivate');
    expect(product).toMatchObject({ optIn: true, contractVersion: '2026-09-07' });
    expect(product.limits).toMatchObject({
      preview: {
        checklists: 2,
        checklistEnrollments: 25,
        checklistEvents: 200,
        steps: 5,
        sessionMinutes: 15,
      },
      free: { checklists: 5, checklistEnrollments: 1_000, checklistEvents: 2_000 },
    });
    const under = '/v1/installations/{installationId}/svcactivate/checklists';
    const project = { host: 'base', auth: 'project credential' };
    expect(product.endpoints).toEqual(
      expect.arrayContaining([
        { method: 'GET', path: '/v1/agent/svcactivate', ...project },
        { method: 'POST', path: `${under}/{checklistId}/events`, ...project },
        { method: 'POST', path: `${under}/{checklistId}/events/batch`, ...project },
        { method: 'GET', path: '/v1/activate/progress', host: 'ingest', auth: 'progress token' },
      ]),
    );
    expect(product.endpoints).toHaveLength(9);
    const imports = body.products.find(({ name }: { name: string }) => name === 'svcimport');
    expect(imports.limits.free).not.toHaveProperty('checklists');
  });

  it('does not exist for another installation', async () => {
    const neighbour = await customer.another(KEYS);
    const stranger = await customer.another(KEYS);
    stranger.checklistId = neighbour.checklistId;
    const answers = [
      await stranger.event('ada', 'import'),
      await stranger.session('ada'),
      await stranger.revise(1, ['import']),
      await stranger.agent('GET', `/${neighbour.checklistId}/summary?revision=1&cohort=test`),
      await stranger.owner('GET', `/checklists/${neighbour.checklistId}`),
      await stranger.owner('GET', `/checklists/${neighbour.checklistId}/export`),
      await stranger.erase('ada'),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual([404, 'not_found']);
    stranger.installationId = neighbour.installationId;
    expect(refusal(await stranger.event('ada', 'import'))).toEqual([404, 'not_found']);
  });
});
