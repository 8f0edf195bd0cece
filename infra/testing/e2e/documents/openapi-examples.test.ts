import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../gateway/http/openapi/errors.ts';
import { errorEnvelopeSchema } from '../../../../schemas/base/errors.ts';
import { exampleSecret } from '../../../../schemas/base/secrets.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type Document, ExampleClient } from './openapi-examples.fixture.ts';
import { JOURNEY, stepOf } from './openapi-journey.fixture.ts';

const BILLING_SECRET = 'the billing secret of the examples';
const POLL_INTERVAL_MS = 50;

const routes = productRoutes();

let service: ServiceInProcess;
let client: ExampleClient;
beforeAll(async () => {
  // No server listens there: the service takes what is to be mailed, and keeps it.
  const mail = { SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'svc@example.com' };
  service = await ServiceInProcess.start({
    environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET, ...mail },
  });
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  client = new ExampleClient(service.url, document, BILLING_SECRET);
  client.replace(exampleSecret('setup'), new URL(service.setUpLink).hash.slice(1));
});
afterAll(() => service?.dispose());

describe('the examples of the OpenAPI document', () => {
  it.each(JOURNEY)('%s', async (step) => {
    const { name, until, code } = stepOf(step);
    const route = routes.find((candidate) => candidate.name === name);
    if (route === undefined) throw new Error(`finding the route of the step ${step}`);
    let answer = await client.send(route);
    while (until !== undefined && (answer.body as { status: string }).status !== until) {
      await pause(POLL_INTERVAL_MS);
      answer = await client.send(route);
    }
    if (code === undefined) {
      expect(answer.status, answer.text).toBe(route.success.status);
      if (route.success.schema !== undefined) route.success.schema.parse(answer.body);
    } else {
      expect(errorEnvelopeSchema.parse(answer.body).error.code, answer.text).toBe(code);
      expect(errorCodes(route)).toContain(code);
    }
  });

  it('are sent for every operation', () => {
    const sent = new Set(JOURNEY.map((step) => step.replace(/[ :].*$/, '')));
    expect(routes.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([]);
  });
});
