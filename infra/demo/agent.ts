import { createHash } from 'node:crypto';
import type { Client } from './client.ts';

export interface Workspace {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly expiresAt: string;
  readonly provisionToken: string;
  readonly credential: string;
}

export interface Schema {
  readonly schemaId: string;
  readonly revision: number;
}

export interface Reservation {
  readonly importId: string;
  readonly uploadUrl: string;
  readonly uploadToken: string;
}

export interface ImportStatus {
  readonly importId: string;
  readonly status: string;
  readonly rows: {
    readonly total: number;
    readonly valid: number;
    readonly invalid: number;
    readonly blank: number;
  };
  readonly progress: { readonly done: number; readonly total: number };
  readonly batchCount: number;
  readonly acknowledgedBatches: number;
  readonly failure: { readonly code: string } | null;
}

export interface ImportLimits {
  readonly plan: string;
  readonly limits: { readonly imports: { readonly limit: number; readonly used: number } };
}

export interface ClaimLink {
  readonly claimUrl: string;
  readonly confirmCode: string;
}

/**
 * Creates a preview workspace with both opt-in products. It takes no sign-up.
 *
 * @param provisionToken made and kept by the caller, who can repeat the creation with it; else the service makes one
 */
export function createWorkspace(client: Client, name: string, provisionToken?: string): Promise<Workspace> {
  const json = { name, cohort: 'dogfood', products: ['svcimport', 'svcactivate'], provisionToken };
  return client.send('POST', '/v1/agent/workspaces', 201, { json });
}

/** A coding agent with the credential of its workspace: it sends files and sees counts, never rows. */
export class Agent {
  readonly workspace: Workspace;
  readonly #client: Client;
  readonly #imports: string;

  constructor(client: Client, workspace: Workspace) {
    this.workspace = workspace;
    this.#client = client;
    this.#imports = `/v1/installations/${workspace.installationId}/svcimport`;
  }

  configureSchema(idempotencyKey: string, configuration: unknown): Promise<Schema> {
    const json = { version: 'svcimport.configure.v1', idempotencyKey, configuration };
    return this.#post(`${this.#imports}/schemas`, 201, json);
  }

  /** Announces a file. The same key and file give the same import again. */
  reserveImport(
    idempotencyKey: string,
    schema: Schema,
    bytes: Uint8Array,
    fileName?: string,
  ): Promise<Reservation> {
    return this.#post(`${this.#imports}/schemas/${schema.schemaId}/imports`, 201, {
      version: 'svcimport.upload.v1',
      idempotencyKey,
      revision: schema.revision,
      byteLength: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...(fileName === undefined ? {} : { fileName }),
    });
  }

  upload(
    { uploadUrl, uploadToken }: Reservation,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status: string; readonly sha256: string }> {
    return this.#client.send('PUT', uploadUrl, 200, { bearer: uploadToken, csv: bytes });
  }

  map(importId: string, mapping: unknown): Promise<ImportStatus> {
    return this.#post(`${this.#imports}/imports/${importId}/mapping`, 200, mapping);
  }

  /** Queues a validation; being accepted is not being done. */
  validate(idempotencyKey: string, importId: string): Promise<ImportStatus> {
    const json = { version: 'svcimport.validate.v1', idempotencyKey };
    return this.#post(`${this.#imports}/imports/${importId}/validate`, 202, json);
  }

  status(importId: string): Promise<ImportStatus> {
    return this.#get(`${this.#imports}/imports/${importId}`);
  }

  /** The digest of what was validated, which an approval has to name; null until every row is valid. */
  binding(importId: string): Promise<{ readonly validationDigest: string | null }> {
    return this.#get(`${this.#imports}/imports/${importId}/binding`);
  }

  /** The workspace's use of the import limits of its plan. */
  limits(): Promise<ImportLimits> {
    return this.#get('/v1/agent/svcimport');
  }

  /** A link for the human who shall own the workspace, and the code that proves that both look at the same one. */
  claimLink(): Promise<ClaimLink> {
    const { provisionToken } = this.workspace;
    return this.#post('/v1/agent/workspace/claim-link', 201, { provisionToken });
  }

  #get<Body>(path: string): Promise<Body> {
    return this.#client.send('GET', path, 200, { bearer: this.workspace.credential });
  }

  #post<Body>(path: string, status: number, json: unknown): Promise<Body> {
    return this.#client.send('POST', path, status, { bearer: this.workspace.credential, json });
  }
}
