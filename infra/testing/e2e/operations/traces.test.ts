import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_BROWSER } from '../../config/no-browser.ts';
import { ChecklistsCustomer, subjectOf } from '../checklists/checklists-customer.fixture.ts';
import { CheckCustomer, headingFlow } from '../checks/checks-customer.fixture.ts';
import { OWNER } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { LimiterService } from '../limits/limiter-service.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type ReceivedSpan, SpanReceiver } from './span-receiver.fixture.ts';

const CALLER = '00f067aa0ba902b7';
const TIMEOUT = { timeout: 45_000, interval: 20 };
/** Appears in every value that the tests send. */
const PRIVATE = 'pr1vate';

let receiver: SpanReceiver;
let traces = 0;
/** Values that no span may hold. */
const secrets: string[] = [PRIVATE, OWNER.email, OWNER.password];

beforeAll(async () => {
  receiver = await SpanReceiver.start();
});
afterAll(() => receiver.close());

/** A new trace of a caller, and the header that continues it. */
function callerTrace(flags = '01') {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'a');
  return { traceId, headers: { traceparent: `00-${traceId}-${CALLER}-${flags}` } };
}

/** Waits for spans with these names in one trace, and proves that each stands below the caller's span. */
async function connected(traceId: string, ...names: readonly string[]): Promise<ReceivedSpan[]> {
  return await vi.waitFor(() => {
    const spans = receiver.trace(traceId);
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    const known = new Set([CALLER, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
    return spans;
  }, TIMEOUT);
}

/** The names from a span up to the caller's. */
function path(spans: readonly ReceivedSpan[], name: string, command?: string): string[] {
  const names: string[] = [];
  let span = spans.find(
    (one) =>
      one.name === name && (command ?? one.attributes['svc.command']) === one.attributes['svc.command'],
  );
  while (span !== undefined) {
    names.push(span.name);
    const { parentSpanId } = span;
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return names;
}

describe('traces', () => {
  it('have the request of a rate-limit check below the caller, and name no key', async () => {
    const service = await LimiterService.start({ environment: receiver.environment });
    const { key, keyId } = await service.newKey('test');
    secrets.push(key, keyId, service.organizationId, service.cookie.split('=')[1] ?? '');
    const { traceId, headers } = callerTrace();
    const json = { namespace: PRIVATE, identifier: PRIVATE, limit: 5, window: 1_000 };
    const sent = { ...headers, Authorization: `Bearer ${key}` };
    const { headers: answered } = await service.send('POST', '/v1/check', { json, headers: sent });
    const [span] = await connected(traceId, 'POST /v1/check');
    expect(span).toMatchObject({
      parentSpanId: CALLER,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/check',
        'http.response.status_code': 200,
        'svc.request_id': answered.get('x-request-id'),
      },
    });
    expect(service.main.output).toContain(`"traceId":"${traceId}","route":"check"`);
    await service.dispose();
  });

  it('lead a milestone event from HTTP through topic, fold and commit to the reply', async () => {
    const service = await ServiceInProcess.start({ environment: receiver.environment });
    const customer = await ChecklistsCustomer.of(service, [`${PRIVATE}_step`]);
    secrets.push(customer.credential, customer.installationId, subjectOf(PRIVATE));
    const event = (headers: Record<string, string>) =>
      customer.send(
        'POST',
        `/v1/installations/${customer.installationId}/svcactivate/checklists/${customer.checklistId}/events`,
        {
          bearer: customer.credential,
          headers,
          json: {
            schemaVersion: '2026-09-07',
            idempotencyKey: customer.newKey(),
            subjectDigest: subjectOf(PRIVATE),
            cohort: 'test',
            eventKey: `${PRIVATE}_step`,
          },
        },
      );
    const { traceId, headers } = callerTrace();
    expect((await event(headers)).status).toBe(200);
    const spans = await connected(traceId, 'fold', 'commit', 'reply', 'process activate', 'submit activate');
    const http = spans.find(({ parentSpanId }) => parentSpanId === CALLER)?.name ?? '';
    expect(http).toMatch(/^POST \/v1\/installations\/:\w+\/svcactivate\/checklists\/:\w+\/events$/);
    for (const last of ['fold', 'commit', 'reply']) {
      expect(path(spans, last)).toEqual([last, 'process activate', 'submit activate', http]);
    }
    expect(spans.find(({ name }) => name === 'process activate')?.attributes).toMatchObject({
      'messaging.destination.name': 'activate',
      'messaging.destination.partition.id': expect.stringMatching(/^\d+$/),
      'svc.command': expect.any(String),
      'svc.outcome': 'done',
    });

    // Not sampled by the caller: continued, and not exported. Invalid: a new trace.
    const unsampled = callerTrace('00');
    await event(unsampled.headers);
    expect(service.output).toContain(`"traceId":"${unsampled.traceId}"`);
    const { headers: answered } = await event({ traceparent: `00-${traceId}-${CALLER}-01-more` });
    const line = new RegExp(`"requestId":"${answered.get('x-request-id')}","traceId":"(\\w+)"`);
    const own = line.exec(service.output)?.[1] ?? '';
    expect(own).not.toBe(traceId);
    const [root] = await vi.waitFor(() => {
      const spans = receiver.trace(own).filter(({ parentSpanId = '' }) => parentSpanId === '');
      expect(spans).toHaveLength(1);
      return spans;
    }, TIMEOUT);
    expect(root?.name).toBe(http);
    await service.dispose();
    expect(receiver.trace(unsampled.traceId)).toEqual([]);
  });

  it('lead a validation through its split and its partitions', async () => {
    const fields = [{ key: 'code', type: 'text', required: true }];
    const customer = await ImportsCustomer.start(fields, { environment: receiver.environment });
    const column = `${PRIVATE} code`;
    const file = Buffer.from(`${column}\n${PRIVATE}-1\n${PRIVATE}-2\n`);
    const importId = await customer.uploaded(file, [{ source: column, target: 'code' }]);
    secrets.push(customer.credential, importId, customer.schemaId);
    const { traceId, headers } = callerTrace();
    const json = { version: 'svcimport.validate.v1', idempotencyKey: customer.newKey() };
    const target = `/v1/installations/${customer.installationId}/svcimport/imports/${importId}/validate`;
    await customer.send('POST', target, { bearer: customer.credential, json, headers });
    expect((await customer.settled(importId)).status).toBe('ready');
    const spans = await connected(
      traceId,
      'process import-preview-splits',
      'process import-preview-partitions',
    );
    expect(path(spans, 'process import-preview-partitions')).toEqual([
      'process import-preview-partitions',
      'process imports',
      'process import-preview-splits',
      'process imports',
      'submit imports',
      expect.stringMatching(/^POST .*\/validate$/),
    ]);
    await customer.service.dispose();
  });

  it.skipIf(NO_BROWSER !== null)('lead a run of a browser check to its result', async () => {
    const customer = await CheckCustomer.start({ environment: receiver.environment });
    customer.site.page('/', `<!doctype html><title>${PRIVATE}</title><h1>${PRIVATE}</h1>`);
    const originId = await customer.prove();
    const flow = headingFlow(`${customer.site.origin}/`, PRIVATE);
    const { body: suite } = await customer.createSuite(originId, [flow]);
    secrets.push(customer.site.origin, suite.suiteId, customer.credential);
    const { traceId, headers } = callerTrace();
    const { body: run } = await customer.send(
      'POST',
      `/v1/installations/${customer.installationId}/svccheck/runs`,
      {
        bearer: customer.credential,
        headers,
        json: { schemaVersion: '2026-08-24', idempotencyKey: 'traced run', suiteId: suite.suiteId },
      },
    );
    secrets.push(run.runId);
    await customer.end(run.runId);
    const spans = await connected(traceId, 'process check-preview-runs');
    expect(path(spans, 'process check-preview-runs').slice(0, 2)).toEqual([
      'process check-preview-runs',
      'process checks',
    ]);
    await customer.close();
  });

  it('hold no secret and no value that was sent', () => {
    const exported = receiver.texts.join('\n');
    expect(receiver.texts.length).toBeGreaterThan(0);
    expect(secrets.filter((secret) => secret !== '' && exported.includes(secret))).toEqual([]);
  });
});
