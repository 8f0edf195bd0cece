import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import type { ServiceProcessOptions } from '../../../tools/service-process/service-process.ts';
import { Customer, ORIGIN, type Received, type ServiceAtUrl } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type Place, placesHolding, type StoredState } from '../stored-state.fixture.ts';
import { type StoringService, storedStateOf } from '../stored-state-of.fixture.ts';

export interface Reserved {
  readonly importId: string;
  readonly uploadUrl: string;
  readonly uploadToken: string;
}

const CREATION = { name: 'Orders', cohort: 'dogfood', products: ['svcimport'] };

/** A validation of a small file is done long before; a test that waits longer has failed. */
const WAIT_MS_MAX = 90_000;
const POLL_INTERVAL_MS = 10;

/** For `expect.poll`: what is removed is removed soon, not before the answer. */
export const SOON = { timeout: 90_000, interval: 10 } as const;

/** The part of a service that a customer uses. */
export interface RunningService extends ServiceAtUrl, StoringService {}

/** An agent, an owner and a backend of one workspace, against the real service, by default in this process. */
export class ImportsCustomer<Service extends RunningService = ServiceInProcess> extends Customer<Service> {
  schemaId = '';
  #keys = 0;

  /** The first customer of a new service in this process. */
  static async start(
    fields: readonly object[],
    options: ServiceProcessOptions = {},
  ): Promise<ImportsCustomer> {
    return await ImportsCustomer.of(await ServiceInProcess.start(options), fields);
  }

  /** The first customer of a service that has just been started. */
  static async of<Service extends RunningService>(
    service: Service,
    fields: readonly object[],
  ): Promise<ImportsCustomer<Service>> {
    const customer = new ImportsCustomer(service, CREATION);
    await customer.begin();
    return await customer.#withSchema(fields);
  }

  /** Another workspace of the owner of any other customer of the same service. */
  static async beside<Service extends RunningService>(
    other: Customer<Service>,
    fields: readonly object[],
  ): Promise<ImportsCustomer<Service>> {
    const customer = new ImportsCustomer(other.service, CREATION);
    await customer.beginBeside(other);
    return await customer.#withSchema(fields);
  }

  /** Another workspace of the same owner on the same service. */
  another(fields: readonly object[]): Promise<ImportsCustomer<Service>> {
    return ImportsCustomer.beside(this, fields);
  }

  configuration(revision: number, fields: readonly object[]) {
    const schema = { version: 'svcimport.schema.v1', revision, fields };
    const configuration = { name: 'Orders', allowedOrigins: [ORIGIN], schema };
    return { version: 'svcimport.configure.v1', idempotencyKey: this.newKey(), configuration };
  }

  /** Configures a schema with its first revision. */
  async newSchema(fields: readonly object[]): Promise<string> {
    const { body } = await this.agent('POST', '/schemas', this.configuration(1, fields));
    return body.schemaId;
  }

  newKey(): string {
    this.#keys += 1;
    return `key ${this.#keys}`;
  }

  /** A request of the agent, under the installation's imports. */
  agent(method: 'GET' | 'POST', path: string, json?: unknown): Promise<Received> {
    const target = `/v1/installations/${this.installationId}/svcimport${path}`;
    return this.send(method, target, { bearer: this.credential, json });
  }

  /** The agent's look at the product's limits. */
  product(): Promise<Received> {
    return this.send('GET', '/v1/agent/svcimport', { bearer: this.credential });
  }

  /** A request of the customer's backend, under its schema's deliveries. */
  backend(capability: string, method: 'GET' | 'POST', path: string, json?: unknown): Promise<Received> {
    const target = `/v1/import/delivery/${this.workspaceId}/${this.schemaId}/imports${path}`;
    return this.send(method, target, { bearer: capability, json });
  }

  reservation(file: Uint8Array, changes: object = {}) {
    return {
      version: 'svcimport.upload.v1',
      idempotencyKey: this.newKey(),
      revision: 1,
      byteLength: file.length,
      sha256: sha256Hex(file),
      ...changes,
    };
  }

  async reserve(file: Uint8Array): Promise<Reserved> {
    const { body } = await this.agent('POST', `/schemas/${this.schemaId}/imports`, this.reservation(file));
    return body;
  }

  /** Sends a file in these pieces, without announcing its length. Resolves with the answer, or null for none. */
  upload({ uploadUrl, uploadToken }: Reserved, pieces: readonly Uint8Array[]): Promise<Received | null> {
    return new Promise((resolve) => {
      const headers = { 'Content-Type': 'text/csv', Authorization: `Bearer ${uploadToken}` };
      const request = httpRequest(uploadUrl, { method: 'PUT', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers({ connection: response.headers.connection ?? '' }),
            body: JSON.parse(Buffer.concat(chunks).toString()),
          }),
        );
      });
      request.on('error', () => resolve(null));
      for (const piece of pieces) request.write(piece);
      request.end();
    });
  }

  /** Sends the first bytes of a file, waits until they have left, and goes away. */
  abortUpload({ uploadUrl, uploadToken }: Reserved, piece: Uint8Array, byteLength: number): Promise<void> {
    return new Promise((resolve) => {
      const headers = {
        'Content-Type': 'text/csv',
        'Content-Length': String(byteLength),
        Authorization: `Bearer ${uploadToken}`,
      };
      const request = httpRequest(uploadUrl, { method: 'PUT', headers });
      request.on('error', () => resolve());
      request.write(piece, () => request.destroy(new Error('going away')));
    });
  }

  /** Reserves, uploads and maps a file. */
  async uploaded(file: Uint8Array, columns: readonly object[]): Promise<string> {
    const reserved = await this.reserve(file);
    await this.upload(reserved, [file]);
    await this.agent('POST', `/imports/${reserved.importId}/mapping`, mapping(1, columns));
    return reserved.importId;
  }

  /** Asks for a validation, without waiting for its end. */
  validate(importId: string, idempotencyKey = this.newKey()): Promise<Received> {
    const json = { version: 'svcimport.validate.v1', idempotencyKey };
    return this.agent('POST', `/imports/${importId}/validate`, json);
  }

  /** Validates an import and waits for its end. */
  async validated(importId: string): Promise<Received['body']> {
    const accepted = await this.validate(importId);
    if (accepted.status !== 202) throw new Error(`validating: ${JSON.stringify(accepted.body)}`);
    return await this.settled(importId);
  }

  /** Waits until an import is not being validated any more, and resolves with its status. */
  async settled(importId: string): Promise<Received['body']> {
    const deadline = Date.now() + WAIT_MS_MAX;
    // Longer each time: an agent may ask 120 times a minute.
    for (let pauseMs = POLL_INTERVAL_MS; Date.now() < deadline; pauseMs = Math.min(1_000, pauseMs * 1.5)) {
      const { body } = await this.agent('GET', `/imports/${importId}`);
      if (body.status !== 'validating') return body;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    throw new Error('waiting for a validation');
  }

  /** Reserves, uploads, maps, validates and approves a file. */
  async approved(file: Uint8Array, columns: readonly object[]): Promise<string> {
    const importId = await this.uploaded(file, columns);
    await this.validated(importId);
    await this.approve(importId);
    return importId;
  }

  /** Approves the latest validation, as the owner. */
  async approve(importId: string): Promise<Received> {
    const { body } = await this.agent('GET', `/imports/${importId}/binding`);
    return await this.owner('POST', `/imports/${importId}/approve`, {
      validationDigest: body.validationDigest,
    });
  }

  /** Claims the workspace onto Free, with an import of this file as the verified result. */
  async claim(file: Uint8Array, columns: readonly object[]): Promise<void> {
    await this.validated(await this.uploaded(file, columns));
    const { status, body } = await this.owner('POST', '/claim', {});
    if (status !== 200) throw new Error(`claiming: ${JSON.stringify(body)}`);
  }

  /** Creates a capability for the schema and resolves with the whole answer. */
  createCapability(changes: object = {}): Promise<Received> {
    return this.owner('POST', `/schemas/${this.schemaId}/capabilities`, {
      idempotencyKey: this.newKey(),
      name: 'Backend',
      origin: ORIGIN,
      expiresInDays: 30,
      delegateApproval: false,
      ...changes,
    });
  }

  /** The secret of a new capability. */
  async newCapability(): Promise<string> {
    return (await this.createCapability()).body.capability;
  }

  /** One batch of an import, whatever the answer is. */
  batch(capability: string, importId: string, index: number): Promise<Received> {
    return this.backend(capability, 'GET', `/${importId}/batches?index=${index}`);
  }

  /** Acknowledges these rows as a batch. */
  acknowledge(
    capability: string,
    importId: string,
    batchId: string,
    acceptedRowIds: readonly string[],
  ): Promise<Received> {
    return this.backend(capability, 'POST', `/${importId}/ack`, {
      version: 'svcimport.acknowledge.v1',
      importId,
      ack: { version: 'svcimport.ack.v1', batchId, status: 'accepted', acceptedRowIds },
    });
  }

  /** Pulls every batch of an import in order and acknowledges it. */
  async acknowledgeAll(capability: string, importId: string): Promise<void> {
    for (let index: number | null = 0; index !== null; ) {
      const { body } = await this.batch(capability, importId, index);
      await this.acknowledge(capability, importId, body.batchId, body.manifest.rowIds);
      index = body.nextIndex;
    }
  }

  /** The names of an import's blobs that are stored or being written. */
  async blobNames(importId: string): Promise<string[]> {
    return (await this.stored()).blobNames(importId);
  }

  /** Returns the places in which the service stores this text. */
  async placesHolding(text: string): Promise<Place[]> {
    return placesHolding(await this.stored(), text);
  }

  /** Returns the stored state of the service's engine. */
  stored(): Promise<StoredState> {
    return storedStateOf(this.service);
  }

  async #withSchema(fields: readonly object[]): Promise<this> {
    this.schemaId = await this.newSchema(fields);
    return this;
  }
}

/** Starts a service with a customer for the tests of the suite that calls this, and ends it behind them. */
export function serveImports(
  fields: readonly object[],
  limits: object,
  take: (started: ImportsCustomer) => void,
): void {
  let customer: ImportsCustomer;
  beforeAll(async () => {
    customer = await ImportsCustomer.start(fields, { limits });
    take(customer);
  });
  afterAll(() => customer.service.dispose());
}

export function mapping(revision: number, columns: readonly object[]) {
  return { version: 'svcimport.mapping.v1', revision, columns };
}
