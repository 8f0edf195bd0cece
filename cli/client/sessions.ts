// Sessions that a backend hands to the page of one signed-in user.

import { type CallOptions, caller, checklistPath, pathOf } from './caller.ts';
import { SvcError } from './error.ts';

/** Options of {@link createSession}. */
export interface SessionOptions extends CallOptions {
  /** A further call with the same key gets the same session, if an answer was lost. Random by default. */
  readonly idempotencyKey?: string;
  /** The address of the ingest host. */
  readonly baseUrl: string;
  /** The capability of the schema, `svc_capability_…`. */
  readonly capability: string;
  readonly workspaceId: string;
  readonly schemaId: string;
}

/** A session with which one page imports. Return it to its user only, with `Cache-Control: no-store`, and log none of it. */
export interface ImportSession {
  readonly version: 'svcimport.session.v1';
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly schemaRevision: number;
  readonly sessionToken: string;
  /** The origin of the pages that can use it. */
  readonly origin: string;
  readonly ingestOrigin: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  readonly maxBytes: number;
  readonly maxRows: number;
  readonly approvalDelegated: boolean;
}

/** Options of {@link createProgressSession}. */
export interface ProgressSessionOptions extends CallOptions {
  /** A further call with the same key gets the same session, if an answer was lost. Random by default. */
  readonly idempotencyKey?: string;
  /** The address of the service. */
  readonly baseUrl: string;
  /** The project credential, `svc_project_…`. */
  readonly credential: string;
  readonly installationId: string;
  readonly checklistId: string;
  readonly cohort: 'test' | 'live';
  /** The user of your own session, as `subjectDigest` names one. */
  readonly subjectDigest: string;
  /** The origin of your page. */
  readonly origin: string;
}

/** A token that reads one user's progress. Return it to its user only, with `Cache-Control: no-store`, and log none of it. */
export interface ProgressSession {
  readonly schemaVersion: '2026-09-07';
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  readonly progressUrl: string;
}

/** A page waits for it. */
const DEADLINE_MS = 10_000;

/**
 * Creates a session for the import widget on a user's page.
 *
 * @throws {SvcError} if the service refuses, or does not answer within `deadlineMs` (10,000 by default)
 * @throws {TypeError} if an option is missing or wrong
 */
export async function createSession(options: SessionOptions): Promise<ImportSession> {
  const { capability, workspaceId, schemaId } = options;
  const path = pathOf('v1', 'import', 'sessions', workspaceId, schemaId);
  const body = { version: 'svcimport.mint-session.v1' };
  return await issue<ImportSession>({ ...options, credential: capability }, path, body, 'sessionToken');
}

/**
 * Creates a token for the checklist widget on a user's page.
 *
 * @throws {SvcError} if the service refuses, or does not answer within `deadlineMs` (10,000 by default)
 * @throws {TypeError} if an option is missing or wrong
 */
export async function createProgressSession(options: ProgressSessionOptions): Promise<ProgressSession> {
  const { installationId, checklistId, cohort, subjectDigest, origin } = options;
  const path = checklistPath(installationId, checklistId, 'sessions');
  const body = { schemaVersion: '2026-09-07', subjectDigest, cohort, origin };
  return await issue<ProgressSession>(options, path, body, 'token');
}

/**
 * Creates a session. A repeat after a lost answer gets the same one.
 *
 * @param token the member of the answer that has the secret
 */
async function issue<Session>(
  options: Pick<ProgressSessionOptions, keyof CallOptions | 'baseUrl' | 'credential' | 'idempotencyKey'>,
  path: string,
  body: object,
  token: string,
): Promise<Session> {
  const call = caller(options, { deadlineMs: DEADLINE_MS, ...options });
  const { idempotencyKey = crypto.randomUUID() } = options;
  const answer = await call({ method: 'POST', path, body, idempotencyKey });
  const { expiresAt, [token]: secret } = Object(answer);
  if (typeof expiresAt !== 'string' || typeof secret !== 'string') {
    throw new SvcError('unexpected_answer', 'The answer is not a session.', { status: 201 });
  }
  return answer as Session;
}
