import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '../../../../schemas/base/errors.ts';
import { exampleSecret } from '../../../../schemas/base/secrets.ts';
import { exampleLimiterKey } from '../../../../schemas/limiter/keys.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { ADDRESS, examplesOf, variableOf } from '../../../tools/site/examples.ts';
import { type Operation, readApi } from '../../../tools/site/openapi.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { pythonRunner, type Runner, scriptRunner, shellRunner } from './documented-code.fixture.ts';
import { type Document, ExampleClient } from './openapi-examples.fixture.ts';
import { JOURNEY, stepOf } from './openapi-journey.fixture.ts';

const BILLING_SECRET = 'the billing secret of the examples';
const POLL_INTERVAL_MS = 50;

const routes = new Map(productRoutes().map((route) => [route.name, route]));
const operations = new Map(readApi().operations.map((operation) => [operation.name, operation]));

/** The variables of the environment that hold credentials, with the values of the examples. */
const CREDENTIALS = {
  SVC_CREDENTIAL: exampleSecret('project'),
  SVC_CAPABILITY: exampleSecret('capability'),
  SVC_UPLOAD_TOKEN: exampleSecret('upload'),
  SVC_IMPORT_TOKEN: exampleSecret('import'),
  SVC_PROGRESS_TOKEN: exampleSecret('progress'),
  LIMITER_KEY: exampleLimiterKey(),
};

describe.each<[string, () => Runner]>([
  ['sh', shellRunner],
  ['js', scriptRunner],
  ['python', pythonRunner],
])('the examples in %s', (language, start) => {
  let service: ServiceInProcess;
  let client: ExampleClient;
  let runner: Runner;
  beforeAll(async () => {
    service = await ServiceInProcess.start({ environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET } });
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    client = new ExampleClient(service.url, document, BILLING_SECRET);
    client.replace(exampleSecret('setup'), new URL(service.setUpLink).hash.slice(1));
    runner = start();
  });
  afterAll(async () => {
    runner?.close();
    await service?.dispose();
  });

  const isInLanguage = (step: string) => codeOf(stepOf(step).name) !== undefined;
  const codeOf = (name: string) => {
    const operation = operations.get(name);
    return operation && examplesOf(operation).find((example) => example.language === language)?.code;
  };

  it.each(JOURNEY.filter(isInLanguage))('%s', async (text) => {
    const { name, until, code } = stepOf(text);
    const [route, operation] = [routes.get(name), operations.get(name)];
    if (route === undefined || operation === undefined) throw new Error(`finding the operation ${name}`);
    const send = async () => {
      // The second upload is that of a page, which sends its origin.
      if (name === 'uploadImportSource' && client.hasPage) return client.send(route);
      const answer = await runner.run(realCode(operation), environmentOf(operation), operation);
      client.take(route, answer.status, answer.text, answer.setCookie);
      return answer;
    };
    let answer = await send();
    while (until !== undefined && answer.status === 200 && JSON.parse(answer.text).status !== until) {
      await pause(POLL_INTERVAL_MS);
      answer = await send();
    }
    if (code === undefined) expect(answer.status, answer.text).toBe(route.success.status);
    else expect(errorEnvelopeSchema.parse(JSON.parse(answer.text)).error.code).toBe(code);
  });

  /** The code as the page has it, but for the address and the values that this service has made. */
  function realCode({ name, body, parameters }: Operation): string {
    const code = client.substituted((codeOf(name) ?? '').replaceAll(ADDRESS, service.url));
    const signature = parameters.find((parameter) => parameter.name === 'Svc-Signature')?.example;
    if (signature === undefined) return code;
    const sent = client.substituted(
      language === 'python' ? pythonJson(body?.example) : sentJson(body?.example),
    );
    return code.replace(client.substituted(String(signature)), client.signature(sent));
  }

  function sentJson(value: unknown): string {
    return language === 'sh' ? JSON.stringify(value, null, 2) : JSON.stringify(value);
  }

  function environmentOf({ parameters }: Operation): Record<string, string> {
    const path = parameters.filter((parameter) => parameter.in === 'path');
    return {
      ...Object.fromEntries(
        Object.entries(CREDENTIALS).map(([name, value]) => [name, client.substituted(value)]),
      ),
      ...Object.fromEntries(
        path.map(({ name, example }) => [variableOf(name), client.substituted(String(example))]),
      ),
      SVC_COOKIE: client.cookie,
    };
  }
});

/** JSON as Python writes it. */
function pythonJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/([{[]) /g, '$1')
    .replaceAll(/ ([}\]])/g, '$1');
}
