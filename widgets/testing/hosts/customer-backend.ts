import { createHmac, randomUUID } from 'node:crypto';
import type { Workspace } from '../../../infra/demo/agent.ts';
import type { Client } from '../../../infra/demo/client.ts';

const SCHEMA_VERSION = '2026-09-07';
const SECRET = 'the secret of a backend in a test';

/** A checklist of the customer, with the operations that its backend uses. Its users are synthetic. */
export class ChecklistUsers {
  readonly #client: Client;
  readonly #workspace: Workspace;
  readonly #path: string;

  constructor(client: Client, workspace: Workspace, checklistId: string) {
    this.#client = client;
    this.#workspace = workspace;
    this.#path = `/v1/installations/${workspace.installationId}/svcactivate/checklists/${checklistId}`;
  }

  /** Configures a checklist of these steps, which pages of an origin may show. */
  static async create(
    client: Client,
    workspace: Workspace,
    origin: string,
    configuration: { readonly name: string; readonly steps: readonly object[] },
  ): Promise<ChecklistUsers> {
    const path = `/v1/installations/${workspace.installationId}/svcactivate/checklists`;
    const { checklistId } = await client.send<{ readonly checklistId: string }>('POST', path, 201, {
      bearer: workspace.credential,
      json: {
        schemaVersion: SCHEMA_VERSION,
        idempotencyKey: randomUUID(),
        configuration: { ...configuration, allowedOrigins: [origin] },
      },
    });
    return new ChecklistUsers(client, workspace, checklistId);
  }

  /** Reports a milestone of a user. */
  async report(user: string, eventKey: string): Promise<void> {
    await this.#post('/events', 200, { ...subject(user), eventKey, idempotencyKey: randomUUID() });
  }

  /** Opens a session of a user for pages of an origin. */
  openSession(user: string, origin: string): Promise<object> {
    return this.#post('/sessions', 201, { ...subject(user), origin });
  }

  #post<Body>(path: string, status: number, json: object): Promise<Body> {
    return this.#client.send('POST', `${this.#path}${path}`, status, {
      bearer: this.#workspace.credential,
      json: { schemaVersion: SCHEMA_VERSION, ...json },
    });
  }
}

function subject(user: string) {
  return { subjectDigest: createHmac('sha256', SECRET).update(user).digest('hex'), cohort: 'test' };
}
