import type { PrincipalKind } from '../../../../gateway/principals.ts';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import {
  ServiceProcess,
  type ServiceProcessOptions,
} from '../../../tools/service-process/service-process.ts';
import { configuration } from '../checklists/checklists-customer.fixture.ts';
import {
  accepted,
  type CreatedWorkspace,
  cookieOf,
  createAttached,
  type Received,
  type ServiceAtUrl,
  setUp as setUpWith,
} from '../customer.fixture.ts';

/** Requests of a page carry it, and so do those of the console, whose origin is the service's own. */
export const ORIGIN = 'https://app.example';
/** The first owner. The address is not that of the examples in the OpenAPI document, which drawn requests repeat. */
export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const FIELDS = [{ key: 'order_no', type: 'text', required: true, maxLength: 40 }];
export const FILE = Buffer.from('order_no\n1\n');
export const FEEDBACK_MESSAGE = 'It works, but a duck is missing.';
const MANY = 1_000_000;

/** Nothing that is asked for at random is to be refused for its number. */
export const LIMITS = {
  plans: { preview: { importSchemas: MANY, imports: MANY, feedbackSubmissions: MANY, feedbackHeld: MANY } },
  http: {
    managementPerMinute: MANY,
    deliveryPerMinute: MANY,
    uploadsPerMinute: MANY,
    unauthorizedPerMinute: MANY,
    visitorPerMinute: MANY,
  },
};

export type Headers = Readonly<Record<string, string>>;

/** A running service with one of everything in it, and a caller of every kind. */
export interface World {
  readonly service: ServiceProcess;
  readonly callers: Readonly<Record<PrincipalKind, Headers>>;
  /** Path parameters that lead to something, by name. */
  readonly known: Readonly<Record<string, string>>;
}

/** Builds it up as its users would, on a service with these options. */
export async function buildWorld(options: ServiceProcessOptions = { limits: LIMITS }): Promise<World> {
  const service = await ServiceProcess.start(options);
  const console = await setUp(service);
  const { callers, known } = await addWorkspace(service.url, console, CREATION.name);
  return { service, callers: { ...callers, none: {}, console } as World['callers'], known };
}

/** Adds a workspace with one of everything, a key of its organization, and callers of every kind but a person. */
export async function addWorkspace(url: string, console: Headers, name: string) {
  const ask = askOf(url);
  const workspace = await createAttached(url, { ...CREATION, name }, console['cookie'] ?? '');
  const project = bearer(workspace.credential);
  const imports = await addImports(ask, workspace, project, console);
  const checklists = await addChecklists(ask, workspace, project);
  const feedback = await addFeedback(ask, workspace, project);
  const { keyId, key } = await ask('/v1/keys', console, KEY);
  const { installationId, workspaceId } = workspace;
  // The test of borders says which caller is missing.
  const callers: Partial<World['callers']> = {
    ...{ project, limiter: bearer(key) },
    ...imports.callers,
    ...checklists.callers,
    ...feedback.callers,
  };
  const known: Readonly<Record<string, string>> = {
    ...{ installationId, workspaceId, keyId },
    ...imports.known,
    ...checklists.known,
    ...feedback.known,
  };
  return { callers, known };
}

/** A schema, a reserved upload, a capability and a session of a page. */
async function addImports(ask: Ask, workspace: CreatedWorkspace, project: Headers, console: Headers) {
  const { installationId, workspaceId } = workspace;
  const schemas = `/v1/installations/${installationId}/svcimport/schemas`;
  const { schemaId } = await ask(schemas, project, SCHEMA);
  const reserved = await ask(`${schemas}/${schemaId}/imports`, project, {
    version: 'svcimport.upload.v1',
    idempotencyKey: 'import',
    revision: 1,
    byteLength: FILE.length,
    sha256: sha256Hex(FILE),
  });
  const capabilities = `/v1/console/workspaces/${workspaceId}/schemas/${schemaId}/capabilities`;
  const { capabilityId, capability } = await ask(capabilities, console, CAPABILITY);
  const mint = `/v1/import/sessions/${workspaceId}/${schemaId}`;
  const { sessionToken } = await ask(mint, bearer(capability), { version: 'svcimport.mint-session.v1' });
  return {
    callers: {
      capability: bearer(capability),
      upload: bearer(reserved.uploadToken),
      session: { ...bearer(sessionToken), origin: ORIGIN },
    },
    known: { schemaId, importId: reserved.importId, capabilityId },
  };
}

/** Adds a checklist, and a page that reads the progress of a user. */
async function addChecklists(ask: Ask, { installationId }: CreatedWorkspace, project: Headers) {
  const checklists = `/v1/installations/${installationId}/svcactivate/checklists`;
  const { checklistId } = await ask(checklists, project, CHECKLIST);
  const { token } = await ask(`${checklists}/${checklistId}/sessions`, project, {
    schemaVersion: CHECKLIST.schemaVersion,
    subjectDigest: sha256Hex('somebody'),
    cohort: 'test',
    origin: ORIGIN,
  });
  return { callers: { progress: { ...bearer(token), origin: ORIGIN } }, known: { checklistId } };
}

/** Adds a feedback widget with a submission of a page. */
async function addFeedback(ask: Ask, { installationId }: CreatedWorkspace, project: Headers) {
  const schemaVersion = '2026-08-27';
  const widgets = `/v1/installations/${installationId}/svcfeedback/widgets`;
  const wanted = { schemaVersion, idempotencyKey: 'widget', origin: ORIGIN };
  const { widgetId } = await ask(widgets, project, wanted);
  const page = { origin: ORIGIN };
  const { submissionId } = await ask(`/v1/feedback/${widgetId}/submissions`, page, {
    schemaVersion,
    submissionId: 'sub_aaaaaaaaaaaaaaaaaaaaaaaa',
    message: FEEDBACK_MESSAGE,
    website: '',
    elapsedMs: 20_000,
  });
  return { callers: { widget: page }, known: { widgetId, submissionId } };
}

export const CREATION = { name: 'Everything', cohort: 'dogfood', products: ['svcactivate', 'svcimport'] };
export const KEY = { idempotencyKey: 'key', product: 'limiter', mode: 'test', name: 'Backend' };
export const SCHEMA = {
  version: 'svcimport.configure.v1',
  idempotencyKey: 'schema',
  configuration: {
    name: 'Orders',
    allowedOrigins: [ORIGIN],
    schema: { version: 'svcimport.schema.v1', revision: 1, fields: FIELDS },
  },
};
export const CAPABILITY = {
  idempotencyKey: 'capability',
  name: 'Backend',
  origin: ORIGIN,
  expiresInDays: 1,
  delegateApproval: true,
};
const CHECKLIST = {
  schemaVersion: '2026-09-07',
  idempotencyKey: 'checklist',
  configuration: configuration(['first', 'second']),
};

/** Returns the first owner, signed in on the console's own page. */
export async function setUp(service: ServiceAtUrl): Promise<Headers> {
  const answer = await setUpWith(service, { organization: 'Example', ...OWNER });
  return { cookie: cookieOf(answer), origin: service.url };
}

export type Body = Received['body'];

export type Ask = (path: string, headers: Headers, json: object) => Promise<Body>;

export function askOf(url: string): Ask {
  return async (path, headers, json) => (await accepted(url + path, 'POST', { headers, json })).body;
}

export function bearer(secret: string): Headers {
  return { authorization: `Bearer ${secret}` };
}
