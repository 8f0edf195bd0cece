import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { descendantsOf } from '../../../../processors/checks/runner/descendants.fixture.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { OWNER } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { SpanReceiver } from '../operations/span-receiver.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { decide } from './authorization.fixture.ts';
import { addWorkspace, FEEDBACK_MESSAGE, LIMITS } from './world.fixture.ts';

/** Stands in every header name and cell of the file, and nowhere else. */
const MARKER = 'Zq7Marker';
const FIELDS = [{ key: 'code', type: 'text', required: true, maxLength: 40 }];
const COLUMNS = [{ source: `${MARKER} name`, target: 'code' }];
const FILE = Buffer.from(`${MARKER} name\n${MARKER} one\n${MARKER} two\n`);
const SECRET = /svc_[a-z]+_(?:[0-9A-Za-z]{40}|(?:test|live)_[0-9A-Za-z]{32})/g;
/** The kinds of secrets that the run uses at least. */
const KINDS = 'capability claim import limiter progress project provision session upload'.split(' ');
/** For whom the open invitation is. */
const INVITED = 'Grace Zq7Invited';
/** Values of customers and people, which only blobs may hold. */
const PRIVATE = [MARKER, FEEDBACK_MESSAGE, OWNER.email, INVITED];

let service: ServiceProcess;
let receiver: SpanReceiver;
const secrets = new Set<string>([OWNER.password]);
/** Refusals with their headers. */
const refusals: string[] = [];

/** Keeps the secrets and the refusals of an answer. */
async function keep(response: Response): Promise<void> {
  const answer = `${await response.text()}${JSON.stringify([...response.headers])}`;
  for (const [secret] of answer.matchAll(SECRET)) secrets.add(secret);
  if (!response.ok) refusals.push(answer);
}

/** Takes a file from its reservation to its last acknowledgement. */
async function deliver(customer: ImportsCustomer<ServiceProcess>): Promise<void> {
  const importId = await customer.approved(FILE, COLUMNS);
  await customer.acknowledgeAll(await customer.newCapability(), importId);
  const { body } = await customer.agent('GET', `/imports/${importId}`);
  expect(body.status).toBe('delivered');
}

/** Uses every product as its customers do, and sends each route a wrong request of each caller. */
async function useEverything(): Promise<void> {
  const customer = await ImportsCustomer.of(service, FIELDS);
  await deliver(customer);
  const console = { cookie: customer.cookie, origin: service.url };
  await customer.send('POST', '/v1/console/invitations', {
    cookie: customer.cookie,
    json: { role: 'member', forWhom: INVITED },
  });
  const { callers, known } = await addWorkspace(service.url, console, 'Everything');
  for (const route of productRoutes()) {
    for (const headers of [{}, console, ...Object.values(callers)]) {
      await decide(service.url, route, known, headers);
    }
  }
  await customer.send('POST', '/v1/console/sign-in', { json: { ...OWNER, password: 'another password' } });
}

/** The secrets that a text holds; with the values of customers, if it may not hold them either. */
function found(text: string, values: readonly string[] = PRIVATE): string[] {
  return [...secrets, ...values].filter((value) => text.includes(value));
}

/** The arguments of a process; empty if it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

beforeAll(async () => {
  receiver = await SpanReceiver.start();
  const environment = { LOG_LEVEL: 'debug', ...receiver.environment };
  service = await ServiceProcess.start({ limits: LIMITS, environment });
  secrets.add(new URL(service.setUpLink).hash.slice(1));
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await fetch(input, init);
    await keep(response.clone());
    return response;
  });
  await useEverything().finally(() => spy.mockRestore());
});
afterAll(async () => {
  await service.dispose();
  await receiver.close();
});

describe('the values that a run of all products has used', () => {
  it('are of every kind', () => {
    const kinds = [...secrets].map((secret) => /^svc_([a-z]+)_/.exec(secret)?.[1]);
    expect(kinds).toEqual(expect.arrayContaining(KINDS));
    expect(refusals.length).toBeGreaterThan(productRoutes().length);
  });

  it('are in no log, no refusal, no metric and no trace', async () => {
    expect(found(service.output)).toEqual([]);
    expect(found(refusals.join('\n'))).toEqual([]);
    expect(found(await (await fetch(`${service.url}/metrics`)).text())).toEqual([]);
    await vi.waitFor(() => expect(receiver.texts.join()).toContain('/v1/console/sign-in'));
    expect(found(receiver.texts.join('\n'))).toEqual([]);
  });

  it('are in no topic, no row and no index; only blobs hold those of customers', async () => {
    const texts = await (await storedStateOf(service)).texts();
    for (const [place, each] of texts) {
      const text = each.join('\n');
      if (place === 'blobs') {
        expect(found(text, []), place).toEqual([]);
        expect(PRIVATE.filter((value) => !text.includes(value))).toEqual([]);
      } else expect(found(text), place).toEqual([]);
    }
  });

  it.runIf(process.platform === 'linux')('are in no argument of a process', () => {
    const commands = descendantsOf(service.pid ?? 0).map(commandOf);
    expect(commands[0]).toContain('infra/start.js');
    expect(found(commands.join('\n'))).toEqual([]);
  });
});
