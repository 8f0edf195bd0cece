import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Customer, Told } from '../customer.ts';
import { bodyOf, createWorkspace, granted, type Load, WORKSPACE_ROOTS, type Workspace } from './load.ts';

const { importSchemas: SCHEMAS_MAX, imports: IMPORTS_MAX } = DEFAULT_LIMITS.plans.preview;

/** Three partitions of the pipeline. */
const ROWS = 250;
const CSV = Uint8Array.from(
  Buffer.from(
    ['SKU,Amount', ...Array.from({ length: ROWS }, (_, row) => `sku-${row},${row}`), ''].join('\n'),
  ),
);
const MAPPING = {
  version: 'svcimport.mapping.v1',
  revision: 1,
  columns: [
    { source: 'SKU', target: 'sku' },
    { source: 'Amount', target: 'amount' },
  ],
};
const CONFIGURATION = {
  name: 'Stock',
  allowedOrigins: ['https://shop.example'],
  schema: {
    version: 'svcimport.schema.v1',
    revision: 1,
    fields: [
      { key: 'sku', type: 'text', required: true, maxLength: 20 },
      { key: 'amount', type: 'integer', required: true },
    ],
  },
};

/** Tokens for one upload: each fault can end one. Below the limit that a run is started with. */
export const UPLOAD_ATTEMPTS_MAX = 20;

/** A task that was in work when processes ended waits, for longer each time (infra/docs/decisions/0018-begun-items-of-workers.md). */
const VALIDATION_POLLS_MAX = 480;
const VALIDATION_POLL_MS = 500;

interface Schema {
  readonly schemaId: string;
  readonly revision: number;
}

interface Validated {
  readonly status: string;
  readonly rows: { readonly valid: number };
}

interface Reservation {
  readonly importId: string;
  readonly uploadUrl: string;
  readonly uploadToken: string;
}

/** Agents: schemas and imports up to the limits of a preview, and one file all the way through the pipeline. */
export const importsLoad: Load = {
  name: 'imports',
  counted: [WORKSPACE_ROOTS, { table: 'imports', kind: 'schema' }, { table: 'imports', kind: 'import' }],
  async tell(customer) {
    const agent = new ImportingAgent(customer, await createWorkspace(customer, ['svcimport']));
    const schemas = await Promise.all(Array.from({ length: SCHEMAS_MAX + 1 }, () => agent.configure()));
    const schema = schemas.find((told) => told.kind === 'acknowledged');
    if (schema === undefined) return;
    const reservations = await Promise.all(
      Array.from({ length: IMPORTS_MAX + 1 }, () => agent.reserve(schema.body, randomUUID())),
    );
    if (reservations.every(({ kind }) => kind === 'refused')) return;
    await agent.importFile(schema.body);
  },
};

class ImportingAgent {
  readonly #customer: Customer;
  readonly #workspace: Workspace;
  readonly #base: string;
  /** The key of the import that goes all the way: the first one that was reserved. */
  #key: string | null = null;

  constructor(customer: Customer, workspace: Workspace) {
    this.#customer = customer;
    this.#workspace = workspace;
    this.#base = `/v1/installations/${workspace.installationId}/svcimport`;
  }

  configure(): Promise<Told<Schema>> {
    const { installationId, credential: bearer } = this.#workspace;
    const json = {
      version: 'svcimport.configure.v1',
      idempotencyKey: randomUUID(),
      configuration: CONFIGURATION,
    };
    return this.#customer.intent<Schema>({
      name: 'configure schema',
      quota: { name: `schemas of ${installationId}`, limit: SCHEMAS_MAX },
      request: { method: 'POST', path: `${this.#base}/schemas`, bearer, json },
      status: 201,
      promises: ({ schemaId }) => [{ row: this.#row('schema', schemaId) }],
    });
  }

  async reserve(schema: Schema, idempotencyKey: string): Promise<Told<Reservation>> {
    const { installationId, credential: bearer } = this.#workspace;
    const json = {
      version: 'svcimport.upload.v1',
      idempotencyKey,
      revision: schema.revision,
      byteLength: CSV.length,
      sha256: createHash('sha256').update(CSV).digest('hex'),
    };
    const told = await this.#customer.intent<Reservation>({
      name: 'reserve import',
      quota: { name: `imports of ${installationId}`, limit: IMPORTS_MAX },
      request: { method: 'POST', path: `${this.#base}/schemas/${schema.schemaId}/imports`, bearer, json },
      status: 201,
      promises: ({ importId }) => [{ row: this.#row('import', importId) }],
    });
    if (told.kind === 'acknowledged') this.#key ??= idempotencyKey;
    return told;
  }

  /** Uploads and validates the file of the import that was reserved first, and waits for the end of the validation. */
  async importFile(schema: Schema): Promise<void> {
    const importId = await this.#upload(schema);
    const { credential: bearer } = this.#workspace;
    const path = `${this.#base}/imports/${importId}`;
    await granted(this.#customer, {
      name: 'map import',
      request: { method: 'POST', path: `${path}/mapping`, bearer, json: MAPPING },
      status: 200,
      promises: () => [
        {
          row: this.#row('import', importId),
          says: { what: 'mapped once', holds: ({ mappingRevision }) => mappingRevision === 1 },
        },
      ],
    });
    await granted(this.#customer, {
      name: 'validate import',
      request: {
        method: 'POST',
        path: `${path}/validate`,
        bearer,
        json: { version: 'svcimport.validate.v1', idempotencyKey: randomUUID() },
      },
      status: 202,
      promises: () => [
        {
          row: this.#row('import', importId),
          says: { what: 'validated once, every row counted once', holds: isValidatedOnce },
        },
      ],
    });
    const { status, rows } = await this.#untilValidated(path);
    const { valid } = rows;
    if (status !== 'ready' || valid !== ROWS)
      this.#customer.observe(
        valid > ROWS ? 'doubled' : 'lost',
        `${importId}: ${status}, ${valid} rows of ${ROWS}`,
      );
  }

  /** Uploads with one token after another: a token whose answer was lost may have ended with what it brought. */
  async #upload(schema: Schema): Promise<string> {
    if (this.#key === null) throw new Error('uploading without a reservation');
    for (let attempt = 1; attempt <= UPLOAD_ATTEMPTS_MAX; attempt += 1) {
      const reservation = bodyOf('reserve import', await this.reserve(schema, this.#key));
      const { importId, uploadUrl, uploadToken } = reservation;
      const told = await this.#customer.intent({
        name: 'upload file',
        refusals: ['unauthorized'],
        request: { method: 'PUT', path: new URL(uploadUrl).pathname, bearer: uploadToken, csv: CSV },
        status: 200,
        promises: () => [
          {
            row: this.#row('import', importId),
            says: { what: 'uploaded', holds: ({ source }) => source !== null },
          },
        ],
      });
      if (told.kind === 'acknowledged') return importId;
    }
    throw new Error(`uploading with ${UPLOAD_ATTEMPTS_MAX} tokens`);
  }

  async #untilValidated(path: string): Promise<Validated> {
    const { credential: bearer } = this.#workspace;
    for (let look = 1; ; look += 1) {
      const read = await this.#customer.read<Validated>({ method: 'GET', path, bearer });
      if (read.status !== 'validating' || look === VALIDATION_POLLS_MAX) return read;
      await pause(VALIDATION_POLL_MS);
    }
  }

  #row(kind: string, id: string) {
    return { table: 'imports', aggregate: this.#workspace.installationId, kind, id } as const;
  }
}

function isValidatedOnce({ status, validations, validation }: JsonObject): boolean {
  const { valid, invalid } = (validation ?? {}) as { readonly valid?: number; readonly invalid?: number };
  return status === 'ready' && validations === 1 && valid === ROWS && invalid === 0;
}
