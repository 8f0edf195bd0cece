import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { exchange, ORIGIN, type Received } from '../customer.fixture.ts';
import {
  type ImportsCustomer,
  mapping,
  type Reserved,
  type RunningService,
} from './imports-customer.fixture.ts';

const WAIT_MS_MAX = 90_000;
const POLL_INTERVAL_MS = 10;

interface Parts {
  readonly json?: unknown;
  /** Null: the request comes from no page. */
  readonly origin?: string | null;
}

/** Mints a session with a capability and resolves with the whole answer. */
export function mint(
  customer: ImportsCustomer<RunningService>,
  capability: string,
  schemaId = customer.schemaId,
  key?: string,
): Promise<Received> {
  return customer.send('POST', `/v1/import/sessions/${customer.workspaceId}/${schemaId}`, {
    bearer: capability,
    key,
    json: { version: 'svcimport.mint-session.v1' },
  });
}

/** A page that holds a session's token, against the real service. */
export class Browser {
  readonly #customer: ImportsCustomer<RunningService>;
  readonly #token: string;

  constructor(customer: ImportsCustomer<RunningService>, token: string) {
    this.#customer = customer;
    this.#token = token;
  }

  /** A page with a session of a capability. */
  static async open(customer: ImportsCustomer<RunningService>, capability: string): Promise<Browser> {
    const { status, body } = await mint(customer, capability);
    if (status !== 201) throw new Error(`minting a session: ${JSON.stringify(body)}`);
    return new Browser(customer, body.sessionToken);
  }

  /** A request under `/v1/import/browser`. */
  send(method: 'GET' | 'POST' | 'PUT' | 'OPTIONS', path: string, { json, origin = ORIGIN }: Parts = {}) {
    const url = `${this.#customer.service.url}/v1/import/browser${path}`;
    return exchange(url, method, { bearer: this.#token, json, origin });
  }

  reservation(file: Uint8Array, idempotencyKey = this.#customer.newKey()) {
    const announced = { byteLength: file.length, sha256: sha256Hex(file) };
    return { version: 'svcimport.upload.v1', idempotencyKey, ...announced };
  }

  async reserve(file: Uint8Array): Promise<Reserved> {
    const { status, body } = await this.send('POST', '/imports', { json: this.reservation(file) });
    if (status !== 201) throw new Error(`reserving an import: ${JSON.stringify(body)}`);
    return body;
  }

  upload(
    { uploadUrl, uploadToken }: Reserved,
    file: Uint8Array,
    origin: string | null = ORIGIN,
  ): Promise<Received> {
    return exchange(uploadUrl, 'PUT', { bearer: uploadToken, csv: Buffer.from(file), origin });
  }

  /** Reserves, uploads and maps a file. */
  async uploaded(file: Uint8Array, columns: readonly object[]): Promise<string> {
    const reserved = await this.reserve(file);
    await this.upload(reserved, file);
    await this.send('POST', `/imports/${reserved.importId}/mapping`, { json: mapping(1, columns) });
    return reserved.importId;
  }

  validate(importId: string): Promise<Received> {
    const json = { version: 'svcimport.validate.v1', idempotencyKey: this.#customer.newKey() };
    return this.send('POST', `/imports/${importId}/validate`, { json });
  }

  /** Validates an import, waits for its end and resolves with its status. */
  async validated(importId: string): Promise<Received['body']> {
    const accepted = await this.validate(importId);
    if (accepted.status !== 202) throw new Error(`validating: ${JSON.stringify(accepted.body)}`);
    const deadline = Date.now() + WAIT_MS_MAX;
    for (;;) {
      const { body } = await this.send('GET', `/imports/${importId}`);
      if (body.status !== 'validating') return body;
      if (Date.now() > deadline) throw new Error('waiting for a validation');
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  async approve(importId: string): Promise<Received> {
    const { body } = await this.send('GET', `/imports/${importId}`);
    const { validationDigest } = body;
    return await this.send('POST', `/imports/${importId}/approve`, { json: { validationDigest } });
  }
}
