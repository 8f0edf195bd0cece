import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import { Agent, createWorkspace, type Reservation, type Schema } from '../../../demo/agent.ts';
import { Backend, type Batch } from '../../../demo/backend.ts';
import { type Configuration, readDataFile, readDataJson } from '../../../demo/files.ts';
import { Owner } from '../../../demo/owner.ts';
import { waitForValidation } from '../../../demo/validation.ts';
import type { Facts } from './facts.fixture.ts';
import type { FileName, Step } from './kill-plan.fixture.ts';
import { isAnswer, type PatientClient } from './patient-client.fixture.ts';

/** The client of a journey, and hooks at its steps. */
export interface Scene {
  readonly client: PatientClient;
  readonly facts: Facts;
  /** Called before each step. */
  readonly begins: (step: Step) => Promise<void>;
  /** The one-time link with which the first owner opens the console. */
  readonly setUpLink: string;
}

/** Upload tokens that a customer asks for before it gives a file up: one a kill, and some more. */
export const UPLOAD_ATTEMPTS_MAX = 20;
/** Keys with which a capability is asked for, because the secret is in the first answer and nowhere else. */
const CAPABILITY_KEYS_MAX = 5;

const CREATION = 'the creation of the workspace';
const SECOND_SESSION = 'the second session';
const ORGANIZATION = { organization: 'Observatory', email: 'owner@observatory.example' };

/** The resources that a journey has created, by the ids in its answers. */
export interface Travelled {
  readonly agent: Agent;
  readonly schema: Schema;
  readonly cookie: string;
  readonly provisionToken: string;
  readonly imports: Readonly<Record<FileName, string>>;
  /** One for each key that a capability was asked for with. */
  readonly capabilityIds: readonly string[];
  /** As they were pulled. */
  readonly batches: readonly Batch[];
  /** When each batch was acknowledged, in the same order. */
  readonly acknowledgedAt: readonly string[];
}

interface Project {
  readonly agent: Agent;
  readonly schema: Schema;
}

/**
 * The demo's flow as a patient customer goes it, whatever happens to the service meanwhile: every request is repeated as it
 * was until it is answered, and every answer is kept as a fact. By themselves idempotent are mapping, attaching, approving
 * and acknowledging; by a key configuring, reserving, validating and creating a capability; by its token creating the
 * workspace. A set-up whose answer was lost is followed by a sign-in, a lost claim link by a new one, a lost sign-in or
 * capability by another one.
 */
export async function travel(scene: Scene): Promise<Travelled> {
  const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
  const project = await beginProject(scene, provisionToken);
  const earthquakes = await importFile(scene, project, 'earthquakes', 'ready');
  const { cookie, owner, password } = await findOwner(scene, project);
  const second = await signIn(scene, password);
  await approve(scene, project, owner, earthquakes);
  const delivered = await deliver(scene, project, cookie, earthquakes);
  await claim(scene, project, owner);
  const faulty = await importFile(scene, project, 'earthquakes-faulty', 'needs_correction');
  await scene.begins('read errors');
  const { workspaceId } = project.agent.workspace;
  await scene.facts.learn('the row errors', 'everything', () => owner.rowErrors(workspaceId, faulty));
  const corrected = await importFile(scene, project, 'earthquakes-corrected', 'ready');
  await signOut(scene, second);
  const imports = {
    earthquakes,
    'earthquakes-faulty': faulty,
    'earthquakes-corrected': corrected,
  };
  return { ...project, ...delivered, cookie, provisionToken, imports };
}

async function beginProject({ client, facts, begins }: Scene, provisionToken: string): Promise<Project> {
  await begins('create');
  const workspace = await facts.learn(CREATION, 'everything', () =>
    createWorkspace(client, 'Earthquake catalogue', provisionToken),
  );
  const agent = new Agent(client, workspace);
  await begins('configure');
  const key = randomUUID();
  const configuration = readDataJson<Configuration>('schema.json');
  const schema = await facts.learn('the schema', 'everything', () =>
    agent.configureSchema(key, configuration),
  );
  return { agent, schema };
}

async function importFile(
  { facts, begins }: Scene,
  { agent, schema }: Project,
  file: FileName,
  expected: 'ready' | 'needs_correction',
): Promise<string> {
  const bytes = readDataFile(`${file}.csv`);
  await begins(`reserve ${file}`);
  const key = randomUUID();
  const reserve = () => agent.reserveImport(key, schema, bytes);
  const reservation = await facts.learn(`the reservation of ${file}`, ['importId', 'uploadUrl'], reserve);
  const { importId } = reservation;
  await begins(`upload ${file}`);
  await upload(agent, bytes, reservation, reserve);
  const read = () => agent.status(importId);
  await facts.learn(`the upload of ${file}`, ['importId', 'byteLength', 'uploadedAt', 'expiresAt'], read);
  await begins(`map ${file}`);
  const mapping = readDataJson('mapping.json');
  await facts.learn(`the mapping of ${file}`, ['importId', 'mappingRevision'], () =>
    agent.map(importId, mapping),
  );
  await begins(`validate ${file}`);
  const validationKey = randomUUID();
  const validate = () => agent.validate(validationKey, importId);
  const { status } = await facts.learn(`the start of the validation of ${file}`, 'everything', validate);
  expect(status).toBe('validating');
  await begins(`finish ${file}`);
  expect((await waitForValidation(agent, importId, () => undefined)).status).toBe(expected);
  const result = ['rows', 'progress', 'errorCounts', 'validations', 'artifactBytes', 'batchCount', 'failure'];
  await facts.learn(`the result of ${file}`, result, read);
  await facts.learn(`the binding of ${file}`, 'everything', () => agent.binding(importId));
  return importId;
}

/** Uploads until the bytes are there; for a token that has ended meanwhile the reservation's key gives another one. */
async function upload(
  agent: Agent,
  bytes: Uint8Array<ArrayBuffer>,
  first: Reservation,
  reserve: () => Promise<Reservation>,
): Promise<void> {
  let reservation = first;
  for (let attempt = 1; attempt <= UPLOAD_ATTEMPTS_MAX; attempt += 1) {
    try {
      expect(await agent.upload(reservation, bytes)).toMatchObject({ byteLength: bytes.length });
      return;
    } catch (error) {
      if (!isAnswer(error, 401)) throw error;
    }
    reservation = await reserve();
  }
  throw new Error(`uploading a file with ${UPLOAD_ATTEMPTS_MAX} tokens, one after another`);
}

async function findOwner({ client, facts, begins, setUpLink }: Scene, { agent }: Project) {
  await begins('set up');
  const password = randomUUID();
  const cookie = await openConsole(client, setUpLink, password);
  const owner = new Owner(client, cookie);
  await facts.learn('the session', 'everything', () =>
    client.send('GET', '/v1/console/session', 200, { cookie }),
  );
  await begins('open claim link');
  const link = await agent.claimLink();
  await facts.learn('the claim link', ['workspaceId', 'name', 'createdAt'], () => owner.inspect(link));
  await begins('attach');
  // Only an unattached preview can be created once more.
  facts.retire(CREATION);
  await facts.learn('the attachment', ['workspaceId', 'organizationId', 'attachedAt'], () =>
    owner.attach(link),
  );
  return { cookie, owner, password };
}

/** Sets the service up, or signs in where a set-up without an answer has done it. Returns the session's cookie. */
async function openConsole(client: PatientClient, setUpLink: string, password: string): Promise<string> {
  const { organization, email } = ORGANIZATION;
  const { cookie } = await client
    .exchange('POST', '/v1/console/set-up', 201, {
      json: { code: new URL(setUpLink).hash.slice(1), organization, email, password },
    })
    .catch(async (error: unknown) => {
      if (!isAnswer(error, 409)) throw error;
      return await exchangeSignIn(client, password);
    });
  if (cookie === null) throw new Error('reading the session cookie');
  return cookie;
}

function exchangeSignIn(client: PatientClient, password: string) {
  const { email } = ORGANIZATION;
  return client.exchange('POST', '/v1/console/sign-in', 200, { json: { email, password } });
}

/** Signs in on another machine and returns that session's cookie. A session whose answer was lost stays unused. */
async function signIn({ client, facts, begins }: Scene, password: string): Promise<string> {
  await begins('sign in');
  const { cookie } = await exchangeSignIn(client, password);
  if (cookie === null) throw new Error('reading the session cookie');
  await facts.learn(SECOND_SESSION, 'everything', () =>
    client.send('GET', '/v1/console/session', 200, { cookie }),
  );
  return cookie;
}

/** Signs out on the other machine. A repeat finds the session ended. */
async function signOut({ client, facts, begins }: Scene, cookie: string): Promise<void> {
  await begins('sign out');
  facts.retire(SECOND_SESSION);
  await client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} }).catch((error: unknown) => {
    if (!isAnswer(error, 401)) throw error;
  });
  await facts.learn('the end of the second session', 'everything', () =>
    client.send('GET', '/v1/console/session', 401, { cookie }).then(() => null),
  );
}

/** Claims the workspace, which lifts the ends that its import had as one of a preview. */
async function claim({ facts, begins }: Scene, { agent }: Project, owner: Owner): Promise<void> {
  await begins('claim');
  facts.retire('the upload of earthquakes');
  await facts.learn('the claim', ['workspaceId', 'state', 'plan', 'expiresAt'], () =>
    owner.claim(agent.workspace.workspaceId),
  );
}

async function approve({ facts, begins }: Scene, { agent }: Project, owner: Owner, importId: string) {
  await begins('approve');
  const { validationDigest } = await agent.binding(importId);
  if (validationDigest === null) throw new Error('approving an import without a digest');
  await facts.learn('the approval', ['importId', 'approvedAt', 'approvedBy'], () =>
    owner.approve(agent.workspace.workspaceId, importId, validationDigest),
  );
}

async function deliver(scene: Scene, project: Project, cookie: string, importId: string) {
  const { client, facts, begins } = scene;
  const { workspaceId } = project.agent.workspace;
  const { schemaId } = project.schema;
  await begins('create capability');
  const { capability, capabilityIds } = await createCapability(scene, project, cookie);
  const backend = new Backend(client, { workspaceId, schemaId, capability });
  await begins('pull');
  const batches = await facts.learn('the batches', 'everything', () => pullAll(backend, importId));
  await begins('acknowledge');
  const acknowledgedAt: string[] = [];
  for (const batch of batches) {
    const what = `the acknowledgment of batch ${batch.index}`;
    const answer = await facts.learn(what, ['batchId', 'status', 'acknowledgedAt'], () =>
      backend.acknowledge(importId, batch),
    );
    expect(answer.remainingBatches).toBe(batches.length - batch.index - 1);
    acknowledgedAt.push((answer as typeof answer & { readonly acknowledgedAt: string }).acknowledgedAt);
  }
  expect(await backend.status(importId)).toBe('delivered');
  return { batches, acknowledgedAt, capabilityIds };
}

async function pullAll(backend: Backend, importId: string): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of backend.batches(importId)) batches.push(batch);
  return batches;
}

interface CapabilityAnswer {
  readonly capabilityId: string;
  readonly capability: string | null;
}

/** Creates capabilities until one comes with its secret; the answer of each other one was lost. */
async function createCapability({ client, facts }: Scene, { agent, schema }: Project, cookie: string) {
  const path = `/v1/console/workspaces/${agent.workspace.workspaceId}/schemas/${schema.schemaId}/capabilities`;
  const origin = 'https://observatory.example';
  const capabilityIds: string[] = [];
  for (let number = 1; number <= CAPABILITY_KEYS_MAX; number += 1) {
    const name = `Backend ${number}`;
    const json = { idempotencyKey: randomUUID(), name, origin, expiresInDays: 1, delegateApproval: false };
    const { capabilityId, capability } = await facts.learn(
      `capability ${number}`,
      ['capabilityId', 'name', 'last4', 'createdAt', 'expiresAt'],
      () => client.send<CapabilityAnswer>('POST', path, 201, { cookie, json }),
    );
    capabilityIds.push(capabilityId);
    if (capability !== null) return { capability, capabilityIds };
  }
  throw new Error(`creating ${CAPABILITY_KEYS_MAX} capabilities without an answer`);
}
