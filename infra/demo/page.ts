import { createHash } from 'node:crypto';
import type { ImportStatus, Reservation } from './agent.ts';
import type { PageSession } from './backend.ts';
import type { Client, Method } from './client.ts';

/** The part of an import that a page shows its user, with the digest that an approval names. */
export interface PageImport extends ImportStatus {
  readonly validationDigest: string | null;
}

/** The customer's own page in a user's browser: knows a session's token and nothing else. */
export class Page {
  readonly #client: Client;
  readonly #session: PageSession;

  constructor(client: Client, session: PageSession) {
    this.#client = client;
    this.#session = session;
  }

  reserveImport(idempotencyKey: string, bytes: Uint8Array): Promise<Reservation> {
    return this.#send('POST', '/imports', 201, {
      version: 'svcimport.upload.v1',
      idempotencyKey,
      byteLength: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }

  async upload({ uploadUrl, uploadToken }: Reservation, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { origin } = this.#session;
    await this.#client.send('PUT', uploadUrl, 200, { bearer: uploadToken, csv: bytes, origin });
  }

  map(importId: string, mapping: unknown): Promise<ImportStatus> {
    return this.#send('POST', `/imports/${importId}/mapping`, 200, mapping);
  }

  validate(idempotencyKey: string, importId: string): Promise<ImportStatus> {
    const json = { version: 'svcimport.validate.v1', idempotencyKey };
    return this.#send('POST', `/imports/${importId}/validate`, 202, json);
  }

  status(importId: string): Promise<PageImport> {
    return this.#send('GET', `/imports/${importId}`, 200);
  }

  /** Approves in the owner's stead, who has delegated it with the capability. */
  approve(importId: string, validationDigest: string): Promise<ImportStatus> {
    return this.#send('POST', `/imports/${importId}/approve`, 200, { validationDigest });
  }

  #send<Body>(method: Method, path: string, status: number, json?: unknown): Promise<Body> {
    const { sessionToken: bearer, origin } = this.#session;
    const target = `/v1/import/browser${path}`;
    return this.#client.send(method, target, status, {
      bearer,
      origin,
      ...(json === undefined ? {} : { json }),
    });
  }
}
