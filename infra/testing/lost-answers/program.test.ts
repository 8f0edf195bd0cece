import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../gateway/http/routing/route.ts';
import { exampleSecret } from '../../../schemas/base/secrets.ts';
import { productRoutes } from '../../service/gateway.ts';
import { type Document, ExampleClient, type Json } from '../e2e/documents/openapi-examples.fixture.ts';
import { JOURNEY, stepOf } from '../e2e/documents/openapi-journey.fixture.ts';
import { ServiceInProcess } from '../e2e/service-in-process.fixture.ts';
import { CHANGING, sentBy } from './routes.fixture.ts';

const BILLING_SECRET = 'the billing secret of the examples';
const POLL_INTERVAL_MS = 50;

/** The code of a repeat of what can happen once: it says that this is done. */
const DONE: Readonly<Record<string, string>> = {
  setUp: 'state_conflict',
  eraseImport: 'erased',
  eraseWorkspace: 'erased',
  removeSubmission: 'not_found',
  revokeInvitation: 'not_found',
  resetPassword: 'not_found',
  removeMember: 'not_found',
  // The current password of the request is the former one now.
  changePassword: 'unauthorized',
};

/** A repeat gets the id and null in place of the secret. The id is enough to revoke or rotate it. */
const SHOWN_ONCE = ['createCapability', 'createKey', 'rotateKey', 'createInvitation'];
/** The answer names another key than the request, which has to be repeated as it was. */
const RENAMING = ['rotateKey'];
/** Each success starts another session. */
const SIGN_INS = ['signIn', 'switchSession'];

const routes = productRoutes();

let service: ServiceInProcess;
let client: ExampleClient;
beforeAll(async () => {
  service = await ServiceInProcess.start({
    environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET },
    limits: { http: { managementPerMinute: 100_000 } },
  });
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  client = new ExampleClient(service.url, document, BILLING_SECRET);
  client.replace(exampleSecret('setup'), new URL(service.setUpLink).hash.slice(1));
});
afterAll(() => service?.dispose());

/** The routes whose answers were lost. */
const lost = new Set<string>();

describe('a program whose answers are lost', () => {
  it.each(JOURNEY)('gets the outcome by the same request: %s', async (step) => {
    const { name, until, code } = stepOf(step);
    const route = routes.find((candidate) => candidate.name === name);
    if (route === undefined) throw new Error(`finding the route of the step ${step}`);
    const isChange = CHANGING.includes(name);
    const key = randomUUID();
    const first = isChange ? await client.send(route, key, !RENAMING.includes(name)) : null;
    if (isChange) lost.add(name);
    const answer = await sentUntil(route, key, until);
    const { error } = Object(answer.body) as { error?: { code: string } };
    expect(error?.code, answer.text).toBe(code ?? (isChange ? DONE[name] : undefined));
    if (error !== undefined || first === null || SIGN_INS.includes(name)) return;
    const ids = idsOf(first.body);
    const again = SHOWN_ONCE.includes(name) ? ids.filter((id) => !id.startsWith('svc_')) : ids;
    expect(idsOf(answer.body), answer.text).toEqual(again);
  });

  it('sends every route that changes something', () => {
    expect([...lost].toSorted()).toEqual(sentBy('program').toSorted());
  });
});

/** Sends a request, and repeats it until its answer has a status, where one is awaited. */
async function sentUntil(route: Route, key: string, status: string | undefined) {
  let answer = await client.send(route, key);
  while (status !== undefined && (answer.body as { status: string }).status !== status) {
    await pause(POLL_INTERVAL_MS);
    answer = await client.send(route, key);
  }
  return answer;
}

/** The ids and secrets of an answer, which a second act would have others of. */
function idsOf(body: Json): string[] {
  return (
    JSON.stringify(body)?.match(
      /(?<=")[a-z]{3}_[a-z2-7]{24}(?=")|svc_[a-z]+_\w{40}|svc_limiter_[a-z]+_\w{32}/g,
    ) ?? []
  );
}
