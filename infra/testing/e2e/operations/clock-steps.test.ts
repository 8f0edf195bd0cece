import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { SteppedClock } from './stepped-clock.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];

/** One process has one clock only on the embedded engine, whatever engine the other tests run on. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };

const STEPS: readonly (readonly [string, number])[] = [
  ['a minute ahead', MINUTE_MS],
  ['an hour ahead', HOUR_MS],
  ['a day ahead', DAY_MS],
  ['a minute back', -MINUTE_MS],
  ['an hour back', -HOUR_MS],
  ['a day back', -DAY_MS],
];

describe('a clock that is set', () => {
  let clock: SteppedClock;
  let service: ServiceProcess;
  let customer: ChecklistsCustomer<ServiceProcess>;

  beforeEach(async () => {
    clock = new SteppedClock();
    const { http, workspace } = ROOMY_LIMITS;
    service = await ServiceProcess.start({
      // The owner stays signed in a day later.
      limits: { http, workspace, console: { sessionMs: 2 * DAY_MS } },
      environment: { ...EMBEDDED, ...clock.environment },
    });
    customer = await ChecklistsCustomer.of(service, KEYS);
  });

  afterEach(async () => {
    await service.dispose();
    clock.remove();
  });

  /** Writes of several aggregates and topics: known ones, and new ones in whatever partitions they fall. */
  async function expectWrites(user: string): Promise<void> {
    expect((await customer.event(user, 'connect')).status).toBe(200);
    const another = await customer.another(KEYS);
    expect((await another.event(user, 'import')).status).toBe(200);
  }

  it.each(STEPS)('%s and right again: writes succeed without a restart, and after one', async (_, byMs) => {
    await expectWrites('ada');
    await clock.set(service, byMs);
    await expectWrites('berta');
    await clock.set(service, 0);
    await expectWrites('carla');
    await service.stop();
    await service.restart();
    await expectWrites('dora');
    expect((await customer.send('GET', '/readyz', {})).status).toBe(200);
    expect(service.output).not.toContain('PartitionHalted');
    expect(service.output).not.toContain('"status":503');
  });
});
