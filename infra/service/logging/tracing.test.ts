import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import { readSettings } from '../settings/settings.ts';
import type { TracingSettings } from '../settings/tracing-settings.ts';
import { FAILURE_LINE_MS, LAST_EXPORT_MS_MAX, openTracing } from './tracing.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** The address of a collector that answers nothing, or with a status. */
async function collector(status: number | null, onExport = () => {}): Promise<string> {
  const server = createServer((_request, response) => {
    onExport();
    if (status !== null) response.writeHead(status).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function settingsOf(variables: Record<string, string>): TracingSettings {
  const { tracing } = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...variables });
  if (tracing === null) throw new Error('reading settings without a collector');
  return tracing;
}

function open(variables: Record<string, string>) {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const clock = { now: 0 };
  const { tracer, close } = openTracing(settingsOf(variables), logger, () => clock.now);
  const span = (parent: string | null = null) => tracer.start('work', 'server', parent, {});
  return { lines, clock, close, span };
}

describe('settings of traces', () => {
  it('leave traces off without a collector, and if the SDK is disabled', () => {
    expect(readSettings({}).tracing).toBeNull();
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' };
    expect(readSettings(disabled).tracing).toBeNull();
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'parentbased_jaeger_remote', OTEL_RESOURCE_ATTRIBUTES: 'a' }],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_SDK_DISABLED: 'True',
        OTEL_TRACES_SAMPLER: 'xray',
      },
    ],
  ])('do not stop the start where they lead to no traces: %j', (variables) => {
    expect(readSettings(variables).tracing).toBeNull();
  });

  it('follow the names and the forms of the standard', () => {
    expect(
      settingsOf({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-tenant=1',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test, service.name=other,',
        OTEL_SERVICE_NAME: 'shop',
      }),
    ).toMatchObject({
      url: 'http://collector:4318/base/v1/traces',
      headers: { authorization: 'Bearer a=b', 'x-tenant': '1' },
      resource: { 'deployment.environment.name': 'test', 'service.name': 'shop' },
      sampler: 'parentbased_always_on',
    });
    const apart = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/here' };
    expect(settingsOf(apart).url).toBe('http://collector:4318/here');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT: .*http or https/],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /^OTEL_TRACES_SAMPLER: seen "sometimes"/],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.1' }, /^OTEL_TRACES_SAMPLER_ARG: .*from 0 to 1/],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, /^OTEL_BSP_MAX_QUEUE_SIZE: .*from 1 to/],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'pr1vate' },
      /^OTEL_EXPORTER_OTLP_HEADERS: seen 7 characters; .*name=value/,
    ],
  ])('stop the start at %j', (variables, message) => {
    expect(() => settingsOf(variables)).toThrow(message);
  });
});

describe('openTracing', () => {
  it.each([
    ['parentbased_always_on', '1', ['1', '0', '1']],
    ['parentbased_traceidratio', '0', ['1', '0', '0']],
    ['always_on', '1', ['1', '1', '1']],
    ['always_off', '1', ['0', '0', '0']],
  ])(
    'samples by %s with %s: below a sampled and an unsampled caller, and without one',
    async (name, ratio, flags) => {
      const { span, close } = open({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio });
      const spans = [span(`${CALLER}01`), span(`${CALLER}00`), span()];
      expect(spans.map(({ traceparent }) => traceparent?.at(-1))).toEqual(flags);
      expect(spans.map(({ traceparent }) => traceparent?.slice(3, 35) === CALLER.slice(3, 35))).toEqual([
        true,
        true,
        false,
      ]);
      await close();
    },
  );

  it('logs at most one line a minute while a collector refuses, with the number of lost spans', async () => {
    const url = await collector(400);
    const { span, lines, clock, close } = open({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_BSP_MAX_QUEUE_SIZE: '1',
    });
    const loseUntil = (count: number) =>
      vi.waitFor(() => {
        span().end();
        expect(lines).toHaveLength(count);
      });
    await loseUntil(1);
    clock.now = FAILURE_LINE_MS - 1;
    span().end();
    await close();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'TracesNotExported', spans: 1 });
  });

  it('drops spans beyond its queue while a collector does not answer, and ends without it', async () => {
    let exports = 0;
    const url = await collector(null, () => {
      exports += 1;
    });
    const { span, close } = open({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
    });
    for (let count = 0; count < 10_000; count += 1) span().end();
    const startedAt = performance.now();
    await close();
    expect(performance.now() - startedAt).toBeLessThan(4 * LAST_EXPORT_MS_MAX);
    // What was under way, and what waited.
    expect(exports).toBeLessThanOrEqual(2);
  });
});
