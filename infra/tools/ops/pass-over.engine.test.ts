import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Finding } from '../../../schemas/operations/summary.ts';
import { readSettings } from '../../service/settings/settings.ts';
import { ChecklistsCustomer } from '../../testing/e2e/checklists/checklists-customer.fixture.ts';
import { ROOMY_LIMITS } from '../../testing/e2e/imports/imports-limits.fixture.ts';
import { SteppedClock } from '../../testing/e2e/operations/stepped-clock.fixture.ts';
import { RecordsOnCluster } from '../../testing/e2e/records-on-cluster.fixture.ts';
import { clusterEnvironment } from '../service-process/cluster-environment.ts';
import { removeFromCluster } from '../service-process/cluster-removal.ts';
import { ServiceProcess } from '../service-process/service-process.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
const WAIT = { timeout: 90_000, interval: 50 } as const;

/** A record is taken that is at most ten minutes ahead of the clock of its processor. */
const BEHIND_MS = 11 * MINUTE_MS;

const haltSchema = z.object({
  group: z.string(),
  topic: z.string(),
  partition: z.number(),
  offset: z.number(),
  generation: z.number(),
});

describe('npm run ops -- pass-over on a cluster', () => {
  const environment = clusterEnvironment();
  const clock = new SteppedClock();
  let service: ServiceProcess;
  let customer: ChecklistsCustomer<ServiceProcess>;
  let records: RecordsOnCluster;

  beforeAll(async () => {
    const { http, workspace } = ROOMY_LIMITS;
    service = await ServiceProcess.start({
      limits: { http, workspace },
      environment: { ...environment, ...clock.environment },
    });
    customer = await ChecklistsCustomer.of(service, ['connect', 'import']);
    const { cluster } = readSettings(environment);
    if (cluster === null) throw new Error('reading the settings of a cluster');
    records = await RecordsOnCluster.open(cluster.kafka);
  });

  afterAll(async () => {
    await records.close();
    await service.dispose();
    await removeFromCluster(environment);
    clock.remove();
  });

  /** The log line of the halted partition. */
  const halt = () => {
    const line = service.output.split('\n').find((text) => text.includes('"RecordHaltsPartition"'));
    return line === undefined ? null : haltSchema.parse(JSON.parse(line));
  };

  /** The findings that operators see at /ops. The clock of the service is behind that of its session's begin. */
  const findings = async (): Promise<Finding[]> =>
    (await customer.send('GET', '/v1/ops/summary', { cookie: customer.cookie })).body.findings;

  it('leads a running service past the record at which its partition halts', async () => {
    expect((await customer.event('first user', 'connect')).status).toBe(200);
    await clock.set(service, -BEHIND_MS);
    const halted = customer.eventOnce('second user', 'connect');
    await expect.poll(halt, WAIT).toMatchObject({ group: 'fold-activate', topic: 'activate' });
    const { group, topic, partition, offset, generation } = haltSchema.parse(halt());
    await expect.poll(findings, WAIT).toContainEqual(
      expect.objectContaining({
        ...{ name: 'partition-halted', severity: 'bad', title: '1 partition of activate has halted' },
        affected: expect.stringContaining('Their requests are answered 503; all others continue.'),
        cure: expect.stringContaining(
          `Partition ${partition} of activate stands still: record ${offset} is stamped `,
        ),
      }),
    );

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        PROGRAM,
        'pass-over',
        group,
        topic,
        `${partition}`,
        `${offset}`,
        '--by',
        'OPS-7',
        '--generation',
        `${generation}`,
      ],
      { env: { PATH: process.env['PATH'] ?? '', ...environment } },
    );
    expect(stdout).toContain(`passes over record ${offset} of ${topic}/${partition} within seconds`);
    await expect.poll(() => service.output, WAIT).toContain('"RecordPassedOver"');
    expect([500, 503]).toContain((await halted).status);

    await clock.set(service, 0);
    expect((await customer.event('third user', 'connect')).status).toBe(200);
    const letters = (await records.all())
      .filter((record) => record.topic === 'dead-letters')
      .map(({ value }) => JSON.parse(value).input);
    expect(letters).toEqual([
      expect.objectContaining({ offset, reason: expect.stringMatching(/^passed over by OPS-7: /) }),
    ]);
    // The client may send its event again: the record that was passed over did nothing.
    const again = await customer.event('second user', 'connect');
    expect(again.body).toMatchObject({ outcome: 'completed' });
  });
});
