import { Client } from '../demo/client.ts';
import type { ServiceProcess } from '../tools/service-process/service-process.ts';

/** The environment of the example application's process: its settings for the service. */
export type AppEnvironment = Readonly<Record<string, string>>;

const OWNER = { organization: 'Example', email: 'owner@app.example', password: 'owner of the example' };
const PRODUCTS = ['svcactivate', 'svcimport'];
const STEPS = [
  { key: 'project', label: 'Create a project', description: 'Everything lives in one.', actionPath: '/' },
  { key: 'invite', label: 'Invite a colleague', description: 'It is better together.', actionPath: '/' },
];
const FIELDS = [
  { key: 'name', type: 'text', required: true, maxLength: 80 },
  { key: 'seats', type: 'integer', required: false },
];

/** A workspace that is ready for the application. */
export interface Prepared {
  readonly environment: AppEnvironment;
  readonly client: Client;
  /** The owner's session. */
  readonly cookie: string;
  readonly credential: string;
  readonly installationId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
}

/**
 * Does the work that a developer does once: creates a workspace, attaches it, configures a checklist, a feedback widget and a
 * schema, and makes the capability for the backend.
 *
 * @param service a service that has just been started, and admits the application's origin
 */
export async function prepareWorkspace(service: ServiceProcess, appOrigin: string): Promise<Prepared> {
  const client = new Client(service.url);
  const cookie = await setUp(client, service.setUpLink);
  const workspace = await client.send<Record<string, string>>('POST', '/v1/agent/workspaces', 201, {
    json: { name: 'Example', cohort: 'dogfood', products: PRODUCTS },
  });
  const { installationId = '', workspaceId = '', credential = '', provisionToken = '' } = workspace;
  await attach(client, { cookie, credential, provisionToken });
  const installation = `/v1/installations/${installationId}`;
  const { checklistId = '' } = await client.send<Record<string, string>>(
    'POST',
    `${installation}/svcactivate/checklists`,
    201,
    {
      bearer: credential,
      json: {
        schemaVersion: '2026-09-07',
        idempotencyKey: 'checklist',
        configuration: { name: 'Getting started', allowedOrigins: [appOrigin], steps: STEPS },
      },
    },
  );
  const { widgetId = '' } = await client.send<Record<string, string>>(
    'POST',
    `${installation}/svcfeedback/widgets`,
    201,
    {
      bearer: credential,
      json: { schemaVersion: '2026-08-27', idempotencyKey: 'widget', origin: appOrigin },
    },
  );
  const schemaId = await configureSchema(client, installation, credential, appOrigin);
  const { capability = '' } = await client.send<Record<string, string>>(
    'POST',
    `/v1/console/workspaces/${workspaceId}/schemas/${schemaId}/capabilities`,
    201,
    {
      cookie,
      json: {
        idempotencyKey: 'capability',
        name: 'Example application',
        origin: appOrigin,
        expiresInDays: 3,
        delegateApproval: true,
      },
    },
  );
  const environment: AppEnvironment = {
    SVC_URL: service.url,
    SVC_INSTALLATION_ID: installationId,
    SVC_WORKSPACE_ID: workspaceId,
    SVC_PROJECT_CREDENTIAL: credential,
    SVC_CHECKLIST_ID: checklistId,
    SVC_WIDGET_ID: widgetId,
    SVC_SCHEMA_ID: schemaId,
    SVC_CAPABILITY: capability,
  };
  return { environment, client, cookie, credential, installationId, workspaceId, schemaId };
}

async function setUp(client: Client, setUpLink: string): Promise<string> {
  const code = new URL(setUpLink).hash.slice(1);
  const json = { code, ...OWNER };
  const { cookie } = await client.exchange('POST', '/v1/console/set-up', 201, { json });
  if (cookie === null) throw new Error('setting up without a session');
  return cookie;
}

interface AttachParts {
  readonly cookie: string;
  readonly credential: string;
  readonly provisionToken: string;
}

async function attach(client: Client, { cookie, credential, provisionToken }: AttachParts): Promise<void> {
  const { claimUrl, confirmCode } = await client.send<{ claimUrl: string; confirmCode: string }>(
    'POST',
    '/v1/agent/workspace/claim-link',
    201,
    { bearer: credential, json: { provisionToken } },
  );
  const json = { code: new URL(claimUrl).hash.slice(1), confirm: confirmCode };
  await client.send('POST', '/v1/console/claims/attach', 200, { cookie, json });
}

async function configureSchema(
  client: Client,
  installation: string,
  bearer: string,
  appOrigin: string,
): Promise<string> {
  const schema = { version: 'svcimport.schema.v1', revision: 1, fields: FIELDS };
  const { schemaId } = await client.send<{ schemaId: string }>(
    'POST',
    `${installation}/svcimport/schemas`,
    201,
    {
      bearer,
      json: {
        version: 'svcimport.configure.v1',
        idempotencyKey: 'schema',
        configuration: { name: 'Teams', allowedOrigins: [appOrigin], schema },
      },
    },
  );
  return schemaId;
}
