import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ChecklistsCustomer,
  subjectOf,
} from '../../infra/testing/e2e/checklists/checklists-customer.fixture.ts';
import { ORIGIN } from '../../infra/testing/e2e/customer.fixture.ts';
import { ImportsCustomer } from '../../infra/testing/e2e/imports/imports-customer.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { changingRoute, sentBy } from '../../infra/testing/lost-answers/routes.fixture.ts';
import { DisturbingProxy } from '../testing/proxy.fixture.ts';
import { delivery } from './delivery.ts';
import { events } from './events.ts';
import { limiter } from './limiter.ts';
import { createProgressSession, createSession } from './sessions.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true, maxLength: 20 }] as const;
const COLUMNS = [{ source: 'code', target: 'code' }];
/** The answers that are lost while a call is repeated until its deadline. */
const DEADLINE_MS = 600;

let checklists: ChecklistsCustomer<ServiceInProcess>;
let imports: ImportsCustomer;
let proxy: DisturbingProxy;
beforeAll(async () => {
  checklists = await ChecklistsCustomer.of(await ServiceInProcess.start(), ['connect', 'invite']);
  imports = await ImportsCustomer.beside(checklists, FIELDS);
  proxy = await DisturbingProxy.start(checklists.service.url);
});
afterAll(async () => {
  await proxy?.close();
  await checklists?.service.dispose();
});

const lostRoutes = new Set<string>();

/** Does a call twice: first every answer to its change is lost, then none is. Returns what the service answered first. */
async function lostThenFound<Result>(
  call: () => Promise<Result>,
): Promise<[failed: unknown, Result, first: string]> {
  proxy.reset();
  proxy.decide = ({ method, path }) => (changingRoute(method, path) === null ? 'forward' : 'lose');
  const failed: unknown = await call().catch((error: unknown) => error);
  const [lost] = proxy.lost;
  expect(lost?.status, lost?.body).toBeLessThan(300);
  for (const { passing } of proxy.lost) lostRoutes.add(changingRoute(passing.method, passing.path) ?? '');
  proxy.decide = () => 'forward';
  return [failed, await call(), lost?.body ?? ''];
}

describe('a call whose answers are lost until its deadline', () => {
  const checklist = () => {
    const { credential, installationId, checklistId } = checklists;
    return { baseUrl: proxy.url, credential, installationId, checklistId, cohort: 'test' } as const;
  };

  it('leaves a milestone open, which the same key finds recorded once', async () => {
    const { record } = events({ ...checklist(), deadlineMs: DEADLINE_MS });
    const milestone = { subjectDigest: subjectOf('ada'), eventKey: 'connect', idempotencyKey: 'outbox 1' };
    const [failed, found, first] = await lostThenFound(() => record(milestone));
    expect(failed).toMatchObject({ outcome: 'not_yet', idempotencyKey: 'outbox 1' });
    expect(found).toMatchObject({ outcome: 'recorded', eventId: JSON.parse(first).eventId });
  });

  it('leaves milestones open that travel together, which the same keys find recorded once', async () => {
    const { record } = events({ ...checklist(), deadlineMs: DEADLINE_MS });
    const several = () =>
      Promise.all(
        ['grace', 'linus', 'anna'].map((user) =>
          record({
            subjectDigest: subjectOf(user),
            eventKey: 'connect',
            idempotencyKey: `outbox of ${user}`,
          }),
        ),
      );
    const [failed, found] = await lostThenFound(several);
    expect(failed).toMatchObject(Array(3).fill({ outcome: 'not_yet' }));
    expect(found).toMatchObject(Array(3).fill({ outcome: 'recorded', completedSteps: 1 }));
  });

  it('finds the same session by the same key', async () => {
    const shared = { idempotencyKey: crypto.randomUUID(), deadlineMs: DEADLINE_MS };
    const subjectDigest = subjectOf('ada');
    const progress = () =>
      createProgressSession({ ...checklist(), ...shared, subjectDigest, origin: ORIGIN });
    const [failed, found, first] = await lostThenFound(progress);
    expect(failed).toMatchObject({ retryable: true });
    expect(found.token).toBe(JSON.parse(first).token);
    const { workspaceId, schemaId } = imports;
    const target = { baseUrl: proxy.url, capability: await imports.newCapability(), workspaceId, schemaId };
    const page = await lostThenFound(() => createSession({ ...target, ...shared }));
    expect(page[0]).toMatchObject({ retryable: true });
    expect(page[1].sessionToken).toBe(JSON.parse(page[2]).sessionToken);
  });

  it('acknowledges a batch once', async () => {
    await imports.approved(Buffer.from('code\nA\n'), COLUMNS);
    const { workspaceId, schemaId } = imports;
    const target = { baseUrl: proxy.url, capability: await imports.newCapability(), workspaceId, schemaId };
    const { acknowledge, ...batches } = delivery({ ...target, deadlineMs: DEADLINE_MS });
    const { value: batch } = await batches[Symbol.asyncIterator]().next();
    if (batch === undefined) throw new Error('pulling a batch');
    const [failed, found, first] = await lostThenFound(() => acknowledge(batch));
    expect(failed).toMatchObject({ retryable: true });
    expect(found.acknowledgedAt).toBe(JSON.parse(first).acknowledgedAt);
  });

  it('decides as the options say, and never claims that a window was reset', async () => {
    const { body } = await checklists.send('POST', '/v1/keys', {
      ...{ cookie: checklists.cookie, origin: checklists.service.url },
      json: { idempotencyKey: crypto.randomUUID(), product: 'limiter', name: 'Backend', mode: 'test' },
    });
    const { check, checkAll, reset } = limiter({ key: body.key, baseUrl: proxy.url, onNoAnswer: 'deny' });
    const login = { namespace: 'login', identifier: 'ada', limit: 5, window: 600_000 };
    const [failed, found] = await lostThenFound(() => check(login));
    expect(failed).toMatchObject({ allowed: false, source: 'no_answer', remaining: null });
    // Both attempts of the call without an answer had one key, and count once.
    expect(found).toMatchObject({ allowed: true, remaining: 3 });
    const [several, all] = await lostThenFound(() => checkAll([login]));
    expect([several, all]).toMatchObject([{ source: 'no_answer' }, { remaining: 1 }]);
    const gathered = { ...login, namespace: 'gathered' };
    proxy.decide = ({ path }) => (path.endsWith('/each') ? 'lose' : 'forward');
    const three = () => Promise.all([check(gathered), check(gathered), check(gathered)]);
    expect(await three()).toMatchObject([{ remaining: 4 }, { source: 'no_answer' }, { source: 'no_answer' }]);
    lostRoutes.add(changingRoute('POST', proxy.lost.at(-1)?.passing.path ?? '') ?? '');
    proxy.decide = () => 'forward';
    expect(await three()).toMatchObject([{ remaining: 1 }, { remaining: 0 }, { allowed: false }]);
    const [error, wasRunning] = await lostThenFound(() => reset(login));
    expect(error).toMatchObject({ code: 'no_answer' });
    expect(wasRunning).toBe(false);
  });

  it('was each that the library sends', () => {
    expect([...lostRoutes].toSorted()).toEqual(sentBy('client').toSorted());
  });
});
