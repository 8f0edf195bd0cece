import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type CreatedWorkspace,
  cookieOf,
  createAttached,
  exchange,
  setUp,
} from '../../testing/e2e/customer.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { freeEngine, ops, returnEngine } from './ops.fixture.ts';
import { VERBS } from './verbs.ts';

const PERSON = {
  organization: 'Customer',
  email: 'owner@customer.example',
  password: 'a password of a customer',
};

let service: ServiceInProcess;
let operators: string;
let customer: string;
let organizationId: string;
let workspace: CreatedWorkspace;
let folder: string;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  operators = cookieOf(await setUp(service));
  const origin = service.url;
  const signUp = await exchange(`${service.url}/v1/console/sign-up`, 'POST', { json: PERSON, origin });
  customer = cookieOf(signUp);
  organizationId = z.object({ organizationId: z.string() }).parse(signUp.body).organizationId;
  workspace = await createAttached(service.url, { name: 'Theirs', cohort: 'external' }, customer);
  folder = mkdtempSync(join(tmpdir(), 'svc-audited-'));
});
afterAll(async () => {
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The command lines that concern one customer, in an order in which each can run, and what the audit log calls them. */
const OF_A_CUSTOMER: readonly (readonly [verb: string, words: () => readonly string[], action: string])[] = [
  ['aggregate', () => ['workspaces', workspace.installationId, '--private'], 'operations.read-aggregate'],
  ['aggregate', () => ['feedback', workspace.workspaceId, '--private'], 'operations.read-aggregate'],
  ['aggregate', () => ['organizations', organizationId, '--private'], 'operations.read-aggregate'],
  ['export', () => [workspace.installationId, join(folder, 'export')], 'operations.export'],
  ['reset-link', () => ['--organization', organizationId], 'people.offer-reset'],
  ['expire', () => [workspace.installationId], 'workspaces.expire'],
  ['erase', () => [workspace.installationId, '--confirm', 'Theirs'], 'workspaces.erase'],
  ['aggregate', () => ['workspaces', workspace.installationId, '--private'], 'operations.read-aggregate'],
];

/** The other verbs: they show nothing that customers wrote, or concern the service as a whole. */
const OF_THE_SERVICE = [
  ...['health', 'topics', 'lag', 'self-test', 'switches list', 'switches set', 'set-up-link', 'completion'],
  ...['dead-letters list', 'dead-letters show', 'dead-letters replay', 'dead-letters discard'],
  ...['pass-over', 'grow', 'migrate', 'backup', 'restore', 'mail test'],
];

/** The actions of the machine's operator in the log of an organization. */
async function actionsIn(cookie: string): Promise<string[]> {
  const { body } = await exchange(`${service.url}/v1/console/audit?limit=100`, 'GET', { cookie });
  return body.entries
    .filter(({ actor }: { actor: { id: string } }) => actor.id === 'machine')
    .map(({ action }: { action: string }) => action);
}

describe('npm run ops', () => {
  it('has no other verb than these', () => {
    const known = [...new Set(OF_A_CUSTOMER.map(([verb]) => verb)), ...OF_THE_SERVICE];
    expect(VERBS.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it.each(OF_A_CUSTOMER)(
    'shows the customer and the operators what it did: %s',
    async (verb, words, action) => {
      const before = await Promise.all([customer, operators].map(actionsIn));
      await freeEngine(service);
      await ops(service.environment, ...verb.split(' '), ...words());
      await returnEngine(service);
      for (const [index, cookie] of [customer, operators].entries()) {
        const expected = [...(before[index] ?? []), action].sort();
        await expect.poll(async () => (await actionsIn(cookie)).sort()).toEqual(expected);
      }
    },
  );
});
