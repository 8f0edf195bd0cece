import type { ClaimLink, ImportStatus } from './agent.ts';
import type { Client, Method } from './client.ts';

/** The name and the secret of a person who signs in. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

export interface SetUp extends Account {
  readonly organization: string;
}

export interface ConsoleWorkspace {
  readonly state: string;
  readonly plan: string;
  readonly expiresAt: string | null;
  readonly results: readonly { readonly kind: string; readonly id: string }[];
}

export interface NewCapability {
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly origin: string;
  /** True if the customer's users may approve their imports themselves. */
  readonly delegateApproval: boolean;
  /** 1 by default. */
  readonly expiresInDays?: number;
}

export interface ChecklistOf {
  readonly workspaceId: string;
  readonly checklistId: string;
}

export interface ChecklistCounts {
  readonly enrollments: number;
  readonly complete: number;
  readonly acceptedEvents: number;
}

export interface ApiKey {
  readonly keyId: string;
  readonly key: string;
}

export interface PreviewRow {
  readonly row: number;
  readonly values: Readonly<Record<string, string | boolean | null>> | null;
}

export interface RowError {
  readonly row: number;
  readonly line: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** Opens the console for the first time, with the one-time link, and signs in. */
export async function setUpConsole(client: Client, link: string, setUp: SetUp): Promise<Owner> {
  const json = { code: codeOf(link), ...setUp };
  const { cookie } = await client.exchange('POST', '/v1/console/set-up', 201, { json });
  if (cookie === null) throw new Error('reading the session cookie of the set-up');
  return new Owner(client, cookie);
}

/** A signed-in owner: sees rows and errors, approves, and hands out capabilities. */
export class Owner {
  readonly #client: Client;
  /** The name and the value of the session's cookie. */
  readonly cookie: string;

  constructor(client: Client, cookie: string) {
    this.#client = client;
    this.cookie = cookie;
  }

  /** Shows the contents of the workspace behind a claim link. Does not use up the link. */
  inspect({ claimUrl }: ClaimLink): Promise<{ readonly workspaceId: string; readonly name: string }> {
    return this.#send('POST', '/v1/console/claims/inspect', 200, { code: codeOf(claimUrl) });
  }

  attach({ claimUrl, confirmCode }: ClaimLink): Promise<{ readonly workspaceId: string }> {
    const json = { code: codeOf(claimUrl), confirm: confirmCode };
    return this.#send('POST', '/v1/console/claims/attach', 200, json);
  }

  /** The workspace with what is in it, and what of that the service itself has seen to work. */
  workspace(workspaceId: string): Promise<ConsoleWorkspace> {
    return this.#send('GET', `/v1/console/workspaces/${workspaceId}`, 200);
  }

  /** Moves an attached preview to the Free plan. It takes a verified result. */
  claim(workspaceId: string): Promise<ConsoleWorkspace> {
    return this.#send('POST', `/v1/console/workspaces/${workspaceId}/claim`, 200, {});
  }

  async previewRows(workspaceId: string, importId: string): Promise<readonly PreviewRow[]> {
    const path = `/v1/console/workspaces/${workspaceId}/imports/${importId}/rows`;
    return (await this.#send<{ readonly rows: readonly PreviewRow[] }>('GET', path, 200)).rows;
  }

  async rowErrors(workspaceId: string, importId: string): Promise<readonly RowError[]> {
    const path = `/v1/console/workspaces/${workspaceId}/imports/${importId}/errors`;
    return (await this.#send<{ readonly errors: readonly RowError[] }>('GET', path, 200)).errors;
  }

  /** Approves one result of one validation, which its digest names: a later one needs its own approval. */
  approve(workspaceId: string, importId: string, validationDigest: string): Promise<ImportStatus> {
    const path = `/v1/console/workspaces/${workspaceId}/imports/${importId}/approve`;
    return this.#send('POST', path, 200, { validationDigest });
  }

  /** The secret with which the customer's backend pulls this schema's batches. */
  async createCapability(
    idempotencyKey: string,
    { workspaceId, schemaId, origin, delegateApproval, expiresInDays = 1 }: NewCapability,
  ): Promise<string> {
    const path = `/v1/console/workspaces/${workspaceId}/schemas/${schemaId}/capabilities`;
    const json = { idempotencyKey, name: 'Backend', origin, expiresInDays, delegateApproval };
    const { capability } = await this.#send<{ readonly capability: string | null }>('POST', path, 201, json);
    if (capability === null) throw new Error('reading a capability that was shown before');
    return capability;
  }

  /** A credential for the customer's backend, which opens what that of the agent opens. */
  async createCredential(idempotencyKey: string, workspaceId: string): Promise<string> {
    const path = `/v1/console/workspaces/${workspaceId}/credentials`;
    const json = { idempotencyKey, name: 'Backend' };
    return (await this.#send<{ readonly credential: string }>('POST', path, 201, json)).credential;
  }

  /** The counts of the first revision of a checklist, for real users. */
  checklistSummary({ workspaceId, checklistId }: ChecklistOf): Promise<ChecklistCounts> {
    const path = `/v1/console/workspaces/${workspaceId}/checklists/${checklistId}/summary?revision=1&cohort=live`;
    return this.#send('GET', path, 200);
  }

  /** Erases a user from a checklist, whom only the customer's backend can name. */
  eraseSubject(
    { workspaceId, checklistId }: ChecklistOf,
    subjectDigest: string,
  ): Promise<{ readonly erased: boolean }> {
    const path = `/v1/console/workspaces/${workspaceId}/checklists/${checklistId}/erase`;
    return this.#send('POST', path, 200, { subjectDigest, cohort: 'live' });
  }

  /** Lets live keys work. The free plan takes no card. */
  subscribe(): Promise<{ readonly status: string }> {
    return this.#send('POST', '/v1/subscription', 200, { plan: 'free' });
  }

  /** Calls of this month, as far as gateways have published them. */
  async usedThisMonth(): Promise<number> {
    const path = '/v1/subscription';
    return (await this.#send<{ readonly month: { readonly used: number } }>('GET', path, 200)).month.used;
  }

  /** A live key of the rate limiter. */
  async createKey(idempotencyKey: string): Promise<ApiKey> {
    const json = { idempotencyKey, product: 'limiter', mode: 'live', name: 'Backend' };
    const { keyId, key } = await this.#send<ApiKey>('POST', '/v1/keys', 201, json);
    return { keyId, key };
  }

  async revokeKey(keyId: string): Promise<void> {
    await this.#send('DELETE', `/v1/keys/${keyId}`, 200);
  }

  #send<Body>(method: Method, path: string, status: number, json?: unknown): Promise<Body> {
    return this.#client.send(method, path, status, {
      cookie: this.cookie,
      ...(json === undefined ? {} : { json }),
    });
  }
}

/** The secret in the fragment of a link, which a browser keeps to itself. */
function codeOf(link: string): string {
  return new URL(link).hash.slice(1);
}
