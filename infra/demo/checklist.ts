import { createHmac } from 'node:crypto';
import type { Workspace } from './agent.ts';
import type { Client } from './client.ts';

/** The contract version of every request about checklists. */
const SCHEMA_VERSION = '2026-09-07';

export interface ChecklistConfiguration {
  readonly name: string;
  readonly allowedOrigins: readonly [string, ...string[]];
  readonly steps: readonly { readonly key: string }[];
}

export interface Recorded {
  readonly eventId: string;
  readonly outcome: 'completed' | 'already_completed';
  readonly completedSteps: number;
  readonly complete: boolean;
}

export interface ProgressSession {
  readonly token: string;
  readonly progressUrl: string;
}

export interface Progress {
  readonly completedSteps: number;
  readonly totalSteps: number;
  readonly complete: boolean;
}

/** Configures a checklist with the credential of its workspace and returns its id. */
export async function createChecklist(
  client: Client,
  { installationId, credential }: Workspace,
  idempotencyKey: string,
  configuration: ChecklistConfiguration,
): Promise<string> {
  const path = `/v1/installations/${installationId}/svcactivate/checklists`;
  const json = { schemaVersion: SCHEMA_VERSION, idempotencyKey, configuration };
  const { checklistId } = await client.send<{ readonly checklistId: string }>('POST', path, 201, {
    bearer: credential,
    json,
  });
  return checklistId;
}

/** The customer's backend, which knows its users and names them to the service by a digest only. */
export class ChecklistBackend {
  readonly #client: Client;
  readonly #path: string;
  readonly #credential: string;
  readonly #secret: string;

  /** @param secret keys the digests; it is the backend's own and stays the same for good */
  constructor(
    client: Client,
    { installationId, credential }: Pick<Workspace, 'installationId' | 'credential'>,
    checklistId: string,
    secret: string,
  ) {
    this.#client = client;
    this.#path = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}`;
    this.#credential = credential;
    this.#secret = secret;
  }

  /** HMAC-SHA256 of the user's own id: the same for the same user, and of no use to anybody else. */
  digestOf(userId: string): string {
    return createHmac('sha256', this.#secret).update(userId).digest('hex');
  }

  /** Reports a milestone. The id of the outbox record makes every repeat the same event. */
  report(userId: string, eventKey: string, outboxId: string): Promise<Recorded> {
    return this.#post('/events', 200, { ...this.#subject(userId), eventKey, idempotencyKey: outboxId });
  }

  /** Lets one page of this origin read one user's progress, for a quarter of an hour. */
  openSession(userId: string, origin: string): Promise<ProgressSession> {
    return this.#post('/sessions', 201, { ...this.#subject(userId), origin });
  }

  #subject(userId: string) {
    return { subjectDigest: this.digestOf(userId), cohort: 'live' };
  }

  #post<Body>(path: string, status: number, json: object): Promise<Body> {
    return this.#client.send('POST', `${this.#path}${path}`, status, {
      bearer: this.#credential,
      json: { schemaVersion: SCHEMA_VERSION, ...json },
    });
  }
}
