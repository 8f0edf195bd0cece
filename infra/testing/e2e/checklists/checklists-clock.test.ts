import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { ChecklistsCustomer } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];
const WAIT = { timeout: 45_000, interval: 20 };
const LIFE_MS = 15 * MINUTE_MS;

// The clocks of servers cannot be moved; what time does is the same fold on both engines.
describe.skipIf(isOnCluster())('as time goes by', () => {
  let service: ServiceInProcess;
  let customer: ChecklistsCustomer<ServiceInProcess>;

  beforeEach(async () => {
    const { http, workspace } = ROOMY_LIMITS;
    service = await ServiceInProcess.start({
      limits: { http, workspace, plans: { free: { checklistEvents: 3 } } },
    });
    customer = await ChecklistsCustomer.of(service, KEYS);
  });

  afterEach(async () => {
    await service.dispose();
  });

  const kinds = async () => (await storedStateOf(service)).rowKinds(customer.installationId);

  it('a session ends after fifteen minutes, and is swept up', async () => {
    const token = await customer.token('ada');
    await service.restartAfter(LIFE_MS - MINUTE_MS);
    expect((await customer.progress(token)).status).toBe(200);
    await service.restartAfter(MINUTE_MS);
    expect(refusal(await customer.progress(token))).toEqual([401, 'unauthorized']);
    await service.restartAfter(2 * MINUTE_MS);
    await expect.poll(kinds, WAIT).not.toContain('sessions');
    expect(await kinds()).toContain('checklist');
  });

  it('a preview ends after 72 hours, with its sessions; its owner still reads and erases', async () => {
    await customer.event('ada', 'import');
    await service.restartAfter(72 * HOUR_MS - MINUTE_MS);
    const { body } = await customer.session('ada');
    const { expiresAt } = (await customer.look('workspace')).body;
    expect(body.expiresAt).toBe(expiresAt);
    await service.restartAfter(MINUTE_MS);
    const ended = [
      await customer.progress(body.token),
      await customer.event('ada', 'connect'),
      await customer.session('ada'),
      await customer.create(['only']),
      await customer.agent('GET', ''),
      await customer.look('svcactivate'),
    ];
    for (const answer of ended) expect(refusal(answer)).toEqual([410, 'expired']);
    expect((await customer.look('workspace')).body.state).toBe('expired');
    await customer.signIn();
    const path = `/checklists/${customer.checklistId}/summary?revision=1&cohort=test`;
    expect((await customer.owner('GET', path)).body.enrollments).toBe(1);
    expect((await customer.erase('ada')).body).toMatchObject({ erased: true });
  });

  it('the events of a claimed workspace are counted from zero each month, its enrollments are not', async () => {
    await customer.event('ada', 'import');
    await customer.claim();
    const before = (await customer.limits()).events;
    expect(before).toMatchObject({ limit: 3, used: 1 });
    for (const key of ['connect', 'invite']) expect((await customer.event('ada', key)).status).toBe(200);
    const stopped = await customer.event('grace', 'import');
    expect(refusal(stopped)).toEqual([429, 'limit_reached']);
    const waitMs = Number(stopped.headers.get('retry-after')) * 1_000;
    expect(waitMs).toBeLessThanOrEqual(31 * DAY_MS);
    await service.restartAfter(waitMs);
    expect((await customer.event('grace', 'import')).status).toBe(200);
    const after = await customer.limits();
    expect(after).toMatchObject({ events: { used: 1 }, enrollments: { used: 2 } });
    expect(Date.parse(after.events.resetsAt)).toBeGreaterThan(Date.parse(before.resetsAt));
    // What was remembered before the month is remembered still.
    expect(await customer.summary()).toMatchObject({ enrollments: 2, acceptedEvents: 4 });
  });
});
