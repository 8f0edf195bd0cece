import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { SteppedClock } from './stepped-clock.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];
const WAIT = { timeout: 90_000, interval: 50 } as const;

/** An answer comes from its reply, and not from the last look at the store, which is after 9.5 s. */
const ANSWER_MS_MAX = 9_000;

describe('a process whose clock is apart from the brokers', () => {
  const environment = clusterEnvironment();
  let clock: SteppedClock;
  let service: ServiceProcess;
  let customer: ChecklistsCustomer<ServiceProcess>;

  beforeAll(async () => {
    clock = new SteppedClock();
    const { http, workspace } = ROOMY_LIMITS;
    service = await ServiceProcess.start({
      limits: { http, workspace },
      environment: { ...environment, ...clock.environment },
    });
    customer = await ChecklistsCustomer.of(service, KEYS);
  });

  afterAll(async () => {
    await service.dispose();
    await removeFromCluster(environment);
    clock.remove();
  });

  const probe = () => customer.send('GET', '/readyz', {});

  it.each([
    ['ahead of', 30_000],
    ['behind', -30_000],
  ])(
    '%s theirs by half a minute reports that it is not ready, and continues to answer',
    async (how, byMs) => {
      await clock.set(service, byMs);
      await vi.waitFor(async () => {
        const { status, body } = await probe();
        expect(status).toBe(503);
        expect(body.error.message).toMatch(
          new RegExp(`The clock of this process is (29|30) s ${how} the log's`),
        );
      }, WAIT);
      const begun = performance.now();
      expect((await customer.event(`${how} user`, 'connect')).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(ANSWER_MS_MAX);
      await vi.waitFor(() => expect(service.output).toContain('ClockApart'), WAIT);
      await clock.set(service, 0);
      await vi.waitFor(async () => expect((await probe()).status).toBe(200), WAIT);
      expect((await customer.event(`${how} user`, 'import')).status).toBe(200);
    },
  );
});
