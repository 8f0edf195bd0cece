import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../../service/metrics/declarations.ts';
import { seriesOf } from '../../metric-series.fixture.ts';
import { OWNER } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { LimiterService, ON_CLUSTER } from '../limits/limiter-service.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8');
const PRIVATE = 'pr1vate';

let service: LimiterService;
beforeAll(async () => {
  service = await LimiterService.start();
});
afterAll(() => service.dispose());

/** The lines of the metrics of a service. */
async function scrape(): Promise<string[]> {
  const answer = await fetch(`${service.main.url}/metrics`);
  expect(answer.status).toBe(200);
  return (await answer.text()).split('\n');
}

const series = async () => seriesOf((await scrape()).join('\n'));

describe('GET /metrics', () => {
  it('has every metric that is declared and documented, and no other of the service', async () => {
    const types = (await scrape()).filter((line) => line.startsWith('# TYPE svc_')).sort();
    const declared = Object.values(METRICS);
    expect(types).toEqual(declared.map(({ name, kind }) => `# TYPE ${name} ${kind}`).sort());
    const documented = [...PAGE.matchAll(/^\| `(svc_\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual(declared.map(({ name }) => name));
  });

  it('counts requests and errors by route, without a value of a customer', async () => {
    const { key, keyId } = await service.newKey('test');
    const { email, password } = OWNER;
    await service.send('POST', '/v1/console/sign-in', { json: { email, password } });
    await service.check(key, { namespace: PRIVATE, identifier: PRIVATE });
    await service.send('POST', '/v1/check', { json: {}, headers: { Authorization: `Bearer ${key}` } });
    const counted = await series();
    const check = 'method="POST" route="/v1/check"';
    expect(counted).toMatchObject({
      [`svc_http_request_duration_seconds_count ${check} status="2xx"`]: 1,
      [`svc_http_request_duration_seconds_count ${check} status="4xx"`]: 1,
      [`svc_http_errors_total code="bad_request" ${check}`]: 1,
      'svc_limiter_check_duration_seconds_count result="allowed"': 1,
      'svc_commands_total code="" command="create-key" outcome="done" topic="organizations"': 1,
      'svc_sessions_total kind="console"': 1,
      svc_ready: 1,
      [`svc_engine_up engine="${ON_CLUSTER ? 'redis' : 'embedded'}"`]: 1,
    });
    const text = Object.keys(counted).join('\n');
    for (const value of [PRIVATE, key, keyId, service.organizationId]) expect(text).not.toContain(value);
  });

  it('counts the steps of an import and its rows', async () => {
    const customer = await ImportsCustomer.start([{ key: 'amount', type: 'integer', required: true }]);
    const importId = await customer.uploaded(Buffer.from('a\n1\nx\n2\n'), [
      { source: 'a', target: 'amount' },
    ]);
    await customer.validated(importId);
    const counted = seriesOf(await (await fetch(`${customer.service.url}/metrics`)).text());
    expect(counted).toMatchObject({
      'svc_import_phase_duration_seconds_count phase="split"': 1,
      'svc_import_phase_duration_seconds_count phase="validate"': 1,
      'svc_import_phase_duration_seconds_count phase="join"': 1,
      'svc_import_rows_total result="valid"': 2,
      'svc_import_rows_total result="invalid"': 1,
    });
    expect(counted['svc_blob_bytes_total direction="written"']).toBeGreaterThan(0);
    await customer.service.dispose();
  });

  it('measures the process', async () => {
    const counted = await series();
    expect(counted['svc_event_loop_active_seconds_total']).toBeGreaterThan(0);
    expect(counted['nodejs_eventloop_lag_p99_seconds']).toBeGreaterThan(0);
    expect(counted['process_cpu_seconds_total']).toBeGreaterThan(0);
  });

  it('is an unknown path where metrics are off', async () => {
    const silent = await ServiceInProcess.start({ environment: { METRICS: 'off' } });
    expect((await fetch(`${silent.url}/metrics`)).status).toBe(404);
    await silent.dispose();
  });
});
