// Starts a service with two resources of each kind: one that stays, and one for operations that end it.
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import {
  type Ask,
  askOf,
  bearer,
  buildWorld,
  CAPABILITY,
  CREATION,
  FILE,
  type Headers,
  KEY,
  ORIGIN,
  SCHEMA,
  type World,
} from '../e2e/borders/world.fixture.ts';
import { accepted, createAttached } from '../e2e/customer.fixture.ts';
import { addResetCode, addSparePeople, callerIds, type Ids } from './people.ts';
import { raisedLimits } from './raised-limits.ts';

const READY_MS_MAX = 30_000;
const POLL_INTERVAL_MS = 50;

/** Stands for the billing provider's. */
const BILLING_SECRET = 'the billing secret of a run of schemathesis';

/** Operations that end their resource. They run in a workspace that no other operation needs. */
const SPARED_IN_WORKSPACE = [
  'disconnectWorkspace',
  'eraseWorkspace',
  'pauseWorkspace',
  'revokeCredential',
  'rotateCredential',
  'revokeCapability',
  'revokeKey',
  'rotateKey',
];
const ENDING_IMPORTS = ['cancelImport', 'cancelWorkspaceImport', 'eraseImport'];
const OF_THE_PAGE = [
  'readSessionImport',
  'readSessionSource',
  'readSessionRows',
  'readSessionErrors',
  'mapSessionImport',
  'validateSessionImport',
  'approveSessionImport',
];

/** The knowledge of the schemathesis hooks, passed to them as JSON. */
export interface Knowledge {
  /** Path parameters that name an existing resource, by parameter name. */
  readonly ids: Ids;
  /** Other ids for single operations, which end resources that the rest must not use. */
  readonly idsOf: Readonly<Record<string, Ids>>;
  /** Members of a valid body that single operations send, by operation. */
  readonly bodiesOf: Readonly<Record<string, Ids>>;
  /** Ids of the console's caller, by the name of the path parameter: no request may end the session that the rest needs. */
  readonly caller: Ids;
  readonly origin: string;
  readonly billingSecret: string;
}

export interface Scene {
  readonly world: World;
  readonly knowledge: Knowledge;
}

export async function setScene(): Promise<Scene> {
  const world = await buildWorld({
    limits: raisedLimits(),
    environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET },
  });
  const ask = askOf(world.service.url);
  const { known, callers } = world;
  await reachReady(world, ask);
  const spare = await addSpareWorkspace(world, ask);
  const sessionId = await reserveOnPage(ask, callers.session, 'of the page');
  const spared = await addSparePeople(world);
  const caller = await callerIds(world.service.url, callers.console);
  const knowledge = {
    ids: { ...known, ...spared['setMemberRole'], ...(await addInvitation(world, ask)) },
    idsOf: {
      ...spared,
      ...assign(SPARED_IN_WORKSPACE, spare),
      ...assign(OF_THE_PAGE, { importId: sessionId }),
      cancelSessionImport: { importId: await reserveOnPage(ask, callers.session, 'ends') },
      ...assign(ENDING_IMPORTS, { importId: await reserve(world, ask) }),
      reviseImportSchema: { schemaId: await addSchema(ask, known['installationId'] ?? '', callers.project) },
    },
    // A session that acts for another organization finds nothing of this one.
    bodiesOf: {
      switchSession: { organizationId: caller['organizationId'] ?? '' },
      // The first request sets a password. All later ones meet a code that was used.
      resetPassword: { code: await addResetCode(world.service.url, callers.console) },
    },
    caller,
    origin: ORIGIN,
    billingSecret: BILLING_SECRET,
  };
  return { world, knowledge };
}

/** Uploads, maps and validates the agent's import, so that there are rows, batches and a digest to read. */
async function reachReady({ service, callers, known }: World, ask: Ask): Promise<void> {
  const upload = `${service.url}/v1/import/uploads/${known['importId']}`;
  await accepted(upload, 'PUT', { headers: callers.upload, csv: FILE });
  const path = `/v1/installations/${known['installationId']}/svcimport/imports/${known['importId']}`;
  const columns = [{ source: 'order_no', target: 'order_no' }];
  await ask(`${path}/mapping`, callers.project, { version: 'svcimport.mapping.v1', revision: 1, columns });
  await ask(`${path}/validate`, callers.project, { version: 'svcimport.validate.v1', idempotencyKey: 'v' });
  const deadline = Date.now() + READY_MS_MAX;
  for (;;) {
    const status = (await accepted(service.url + path, 'GET', { headers: callers.project })).body.status;
    if (status === 'ready') return;
    if (Date.now() > deadline) throw new Error(`validating: the import is ${status}`);
    await pause(POLL_INTERVAL_MS);
  }
}

function reservation(idempotencyKey: string) {
  return { version: 'svcimport.upload.v1', idempotencyKey, byteLength: FILE.length, sha256: sha256Hex(FILE) };
}

async function reserveOnPage(ask: Ask, session: Headers, idempotencyKey: string): Promise<string> {
  return (await ask('/v1/import/browser/imports', session, reservation(idempotencyKey))).importId;
}

async function reserve({ callers, known }: World, ask: Ask): Promise<string> {
  const { installationId, schemaId } = known;
  const path = `/v1/installations/${installationId}/svcimport/schemas/${schemaId}/imports`;
  return (await ask(path, callers.project, { ...reservation('ends'), revision: 1 })).importId;
}

/** Adds an invitation, and returns its id. */
async function addInvitation({ callers }: World, ask: Ask): Promise<Ids> {
  const { invitationId } = await ask('/v1/console/invitations', callers.console, { role: 'member' });
  return { invitationId };
}

/** A second workspace with a schema, a capability and a credential, and a second key. */
async function addSpareWorkspace({ service, callers: { console } }: World, ask: Ask): Promise<Ids> {
  const creation = { ...CREATION, name: 'Spare' };
  const workspace = await createAttached(service.url, creation, console['cookie'] ?? '');
  const { workspaceId, installationId } = workspace;
  const project = bearer(workspace.credential);
  const schemaId = await addSchema(ask, installationId, project);
  const path = `/v1/console/workspaces/${workspaceId}`;
  const { capabilityId } = await ask(`${path}/schemas/${schemaId}/capabilities`, console, CAPABILITY);
  const { credentialId } = await ask(`${path}/credentials`, console, { idempotencyKey: 'c', name: 'Spare' });
  const { keyId } = await ask('/v1/keys', console, { ...KEY, idempotencyKey: 'spare', name: 'Spare' });
  return { workspaceId, installationId, schemaId, capabilityId, credentialId, keyId };
}

async function addSchema(ask: Ask, installationId: string, project: Headers): Promise<string> {
  const path = `/v1/installations/${installationId}/svcimport/schemas`;
  return (await ask(path, project, { ...SCHEMA, idempotencyKey: 'spare' })).schemaId;
}

function assign(operations: readonly string[], ids: Ids): Record<string, Ids> {
  return Object.fromEntries(operations.map((operation) => [operation, ids]));
}
