import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventRequestSchema } from '../../../schemas/activate/http.ts';
import { exampleOf } from '../../../schemas/base/examples.ts';
import { billingEventRequestSchema } from '../../../schemas/billing/http.ts';
import { createOriginRequestSchema, createSuiteRequestSchema } from '../../../schemas/checks/http.ts';
import { acknowledgeRequestSchema } from '../../../schemas/imports/delivery-http.ts';
import {
  askOf,
  buildWorld,
  CAPABILITY,
  type Headers,
  KEY,
  LIMITS,
  ORIGIN,
  SCHEMA,
  type World,
} from '../e2e/borders/world.fixture.ts';
import { exchange } from '../e2e/customer.fixture.ts';

const BILLING_SECRET = 'the billing secret of the exceptions';
const PATTERNS = z
  .array(z.object({ faults: z.string().optional() }))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'exceptions.json'), 'utf8')))
  .flatMap(({ faults }) => (faults === undefined ? [] : [faults]));

let world: World;
beforeAll(async () => {
  world = await buildWorld({ limits: LIMITS, environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET } });
});
afterAll(() => world.service.dispose());

/** The path, the headers, and the body of a request that is no GET. */
type Request = readonly [path: string, headers: Headers, json?: object];

/** A request for each refusal that an exception names. */
function refusedRequests({ callers, known }: World, originId: string): readonly Request[] {
  const { project, console, capability, limiter } = callers;
  const { workspaceId, schemaId, importId, keyId } = known;
  const installation = `/v1/installations/${known['installationId']}`;
  const schemas = `${installation}/svcimport/schemas`;
  const mapping = `${installation}/svcimport/imports/${importId}/mapping`;
  const workspace = `/v1/console/workspaces/${workspaceId}`;
  const ack = `/v1/import/delivery/${workspaceId}/${schemaId}/imports/${importId}/ack`;
  const { fields } = SCHEMA.configuration.schema;
  const past = new Date(0).toISOString();
  const check = { namespace: 'n', identifier: 'i', limit: 1, window: 1_000 };
  const decimal = { key: 'amount', type: 'decimal', required: true, precision: 2, scale: 3 };
  const flow = { name: 'Smoke', timeoutMs: 1_000, steps: [{ action: 'goto', url: ORIGIN }] };
  const suite = { ...exampleOf(createSuiteRequestSchema), originId, accessProfileId: undefined };
  const event = { ...exampleOf(eventRequestSchema), eventKey: 'third' };
  return [
    ['/v1/checks', limiter, { checks: [check, check] }],
    ['/v1/check', limiter, { ...check, namespace: '\0' }],
    ['/v1/keys', console, { ...KEY, expiresAt: past }],
    [`/v1/keys/${keyId}/rotate`, console, { idempotencyKey: 'rotate', overlapMs: 1 }],
    [`/v1/keys/${keyId}/usage?from=${past}&to=${past}`, console],
    [schemas, project, withFields([decimal])],
    [schemas, project, withFields([...fields, ...fields])],
    [mapping, project, mappingOf(['a', 'a'], ['b', 'c'])],
    [mapping, project, mappingOf(['a', 'b'], ['c', 'c'])],
    [ack, capability, exampleOf(acknowledgeRequestSchema)],
    [`${installation}/svccheck/suites`, project, { ...suite, flows: [flow, flow] }],
    [`${installation}/svccheck/suites`, project, { ...suite, flows: [{ ...flow, timeoutMs: 3_600_000 }] }],
    [`${installation}/svcactivate/checklists/${known['checklistId']}/events`, project, event],
    ['/v1/agent/workspace/claim-link', project, { provisionToken: `svc_provision_${'0'.repeat(40)}` }],
    [
      `${workspace}/schemas/${schemaId}/capabilities`,
      console,
      { ...CAPABILITY, origin: 'https://b.example' },
    ],
    [`${workspace}/disconnect`, console, { confirm: 'Another name' }],
    signedEvent({ ...exampleOf(billingEventRequestSchema), at: '2999-01-01T00:00:00.000Z' }),
    ['/mcp', { ...project, 'mcp-protocol-version': '1999-01-01' }, { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ];
}

function withFields(fields: readonly object[]) {
  const { configuration } = SCHEMA;
  return { ...SCHEMA, configuration: { ...configuration, schema: { ...configuration.schema, fields } } };
}

function mappingOf(sources: readonly string[], targets: readonly string[]) {
  const columns = sources.map((source, index) => ({ source, target: targets[index] }));
  return { version: 'svcimport.mapping.v1', revision: 1, columns };
}

function signedEvent(event: object): Request {
  const seconds = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', BILLING_SECRET)
    .update(`${seconds}.${JSON.stringify(event)}`)
    .digest('hex');
  return ['/v1/billing/events', { 'Svc-Signature': `t=${seconds},v1=${digest}` }, event];
}

test('the service gives every refusal that an exception names', async () => {
  const origins = `/v1/installations/${world.known['installationId']}/svccheck/origins`;
  const wanted = { ...exampleOf(createOriginRequestSchema), origin: ORIGIN };
  const { originId } = await askOf(world.service.url)(origins, world.callers.project, wanted);
  const answers = await Promise.all(
    refusedRequests(world, originId).map(([path, headers, json]) =>
      exchange(world.service.url + path, json === undefined ? 'GET' : 'POST', { headers, json }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  const faults = answers.flatMap(({ body }) => body.error.message.replace(/\.$/, '').split('; '));
  const isGiven = (pattern: string) => faults.some((fault) => new RegExp(pattern).test(fault));
  expect(PATTERNS.filter((pattern) => !isGiven(pattern))).toEqual([]);
});
