import { Agent, createWorkspace } from '../demo/agent.ts';
import { createChecklist } from '../demo/checklist.ts';
import { Client } from '../demo/client.ts';
import { type Owner, setUpConsole } from '../demo/owner.ts';
import type { ServiceProcess } from '../tools/service-process/service-process.ts';

/** The environment of the example application's process: its settings for the service. */
export type AppEnvironment = Readonly<Record<string, string>>;

const OWNER = { organization: 'Example', email: 'owner@app.example', password: 'owner of the example' };
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
  readonly owner: Owner;
  readonly agent: Agent;
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
  const owner = await setUpConsole(client, service.setUpLink, OWNER);
  const workspace = await createWorkspace(client, 'Example');
  const agent = new Agent(client, workspace);
  await owner.attach(await agent.claimLink());
  const { installationId, workspaceId, credential } = workspace;
  const checklistId = await createChecklist(client, workspace, 'checklist', {
    name: 'Getting started',
    allowedOrigins: [appOrigin],
    steps: STEPS,
  });
  const widgets = `/v1/installations/${installationId}/svcfeedback/widgets`;
  const { widgetId } = await client.send<{ readonly widgetId: string }>('POST', widgets, 201, {
    bearer: credential,
    json: { schemaVersion: '2026-08-27', idempotencyKey: 'widget', origin: appOrigin },
  });
  const { schemaId } = await agent.configureSchema('schema', {
    name: 'Teams',
    allowedOrigins: [appOrigin],
    schema: { version: 'svcimport.schema.v1', revision: 1, fields: FIELDS },
  });
  const capability = await owner.createCapability('capability', {
    workspaceId,
    schemaId,
    origin: appOrigin,
    delegateApproval: true,
    expiresInDays: 3,
  });
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
  return { environment, client, owner, agent, workspaceId, schemaId };
}
