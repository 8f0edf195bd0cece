import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { idFrom, uuidFrom } from '../../schemas/base/ids.ts';
import { canonicalJson, type JsonObject } from '../../schemas/base/json.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import type { ImportConfiguration } from '../../schemas/imports/configuration.ts';
import {
  type ImportDocument,
  importDocumentSchema,
  type PartitionOutcome,
} from '../../schemas/imports/documents.ts';
import type { PartitionRange } from '../../schemas/imports/work-items.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createImportsFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const AGENT: Actor = { kind: 'agent', id: 'crd_agent' };
const SYSTEM: Actor = { kind: 'system', id: 'sweeper' };
export const OWNER: Actor = { kind: 'user', id: 'usr_owner' };

const bytes = (text: string) => keyedDigest('test', text);
export const installationId = idFrom('installation', bytes('one'));
export const schemaId = idFrom('schema', bytes('one'));
export const capabilityIdOf = (name: string) => idFrom('capability', bytes(name));
export const importIdOf = (name: string) => uuidFrom(bytes(name));
export const ORIGIN = 'https://app.example';

const PREVIEW: Lifecycle = {
  version: 1,
  state: 'preview',
  plan: 'preview',
  expiresAt: START + 72 * HOUR_MS,
  products: ['svcimport'],
};

export function configuration(revision: number): ImportConfiguration {
  return {
    name: 'Orders',
    allowedOrigins: [ORIGIN],
    schema: {
      version: 'svcimport.schema.v1',
      revision,
      fields: [{ key: 'code', type: 'text', required: true }],
    },
  };
}

/** Rows of one partition: valid ones, and invalid ones that lack a code. */
export function outcomeOf(index: number, valid: number, invalid = 0): PartitionOutcome {
  return {
    valid,
    invalid,
    errorCounts: invalid === 0 ? [] : [{ column: 'code', code: 'required', count: invalid }],
    batchId: invalid === 0 ? sha256Hex(`batch ${index}`) : null,
    ackDigest: invalid === 0 ? sha256Hex(`rows ${index}`) : null,
  };
}

/** Ten rows of a hundred bytes a partition. */
export function rangeOf(index: number): PartitionRange {
  const start = 5 + index * 100;
  return {
    index,
    start,
    end: start + 100,
    firstRow: 1 + index * 10,
    firstLine: 2 + index * 10,
    rows: 10,
    blank: 0,
  };
}

export const ROWS = 10;

export function capabilityNamed(name: string): JsonObject {
  return {
    capabilityId: capabilityIdOf(name),
    schemaId,
    name,
    origin: ORIGIN,
    expiresInDays: 30,
    delegateApproval: false,
    digest: sha256Hex(`secret ${name}`),
    last4: 'abcd',
  };
}

/** The refusal's code, or `done`. */
export type ResultCode = 'done' | ErrorCode;

/** One installation's imports in memory, with a step for everything that happens to them. */
export class ImportsWorld {
  readonly folds: FoldWorld;
  readonly #limits: Limits;
  #mappings = 0;

  constructor(limits: Limits = DEFAULT_LIMITS, deliveries = 1) {
    this.#limits = limits;
    this.folds = new FoldWorld([createImportsFold(limits)], START, deliveries);
    this.send('lifecycle', PREVIEW);
    this.send('create-schema', { schemaId, configuration: configuration(1) });
  }

  get now(): number {
    return this.folds.now;
  }

  set now(now: number) {
    this.folds.now = now;
  }

  outcome(type: string, input: JsonObject, actor = AGENT, key?: string) {
    const sent = { topic: 'imports', aggregate: installationId, type, input, actor } as const;
    return this.folds.send(key === undefined ? sent : { ...sent, key });
  }

  send(type: string, input: JsonObject, actor = AGENT, key?: string): ResultCode {
    const outcome = this.outcome(type, input, actor, key);
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }

  /** The result of a command that has to succeed. */
  result(type: string, input: JsonObject, actor = AGENT, key?: string): JsonObject {
    const outcome = this.outcome(type, input, actor, key);
    if (outcome.kind !== 'done') throw new Error(`sending ${type}: ${canonicalJson(outcome)}`);
    return outcome.result;
  }

  lifecycle(changes: Partial<Lifecycle>): ResultCode {
    return this.send('lifecycle', { ...PREVIEW, version: 2, ...changes });
  }

  reservation(name: string, changes: JsonObject = {}): JsonObject {
    const importId = importIdOf(name);
    const tokenDigests = Array.from({ length: this.#limits.imports.uploadAttempts }, (_, number) =>
      sha256Hex(`${importId} token ${number + 1}`),
    );
    const announced = { byteLength: 1_000, sha256: sha256Hex(name) };
    return { importId, schemaId, session: null, revision: 1, tokenDigests, ...announced, ...changes };
  }

  reserve(name: string): ResultCode {
    return this.send('reserve-import', this.reservation(name), AGENT, `reserve ${name}`);
  }

  upload(name: string, source = 'source/one'): ResultCode {
    return this.send('import-uploaded', { importId: importIdOf(name), source, fault: null });
  }

  /** Sends a mapping whose blob has the next name: `mapping/1`, `mapping/2`, … */
  map(name: string, revision = 1, content = 'columns'): ResultCode {
    this.#mappings += 1;
    return this.send('map-import', {
      importId: importIdOf(name),
      revision,
      columns: [{ target: 'code', index: 0 }],
      digest: sha256Hex(content),
      blob: `mapping/${this.#mappings}`,
    });
  }

  validate(name: string): ResultCode {
    return this.send('validate-import', { importId: importIdOf(name) });
  }

  split(name: string, attempt: number, partitions: number, artifactBytesBound = 1_000): ResultCode {
    return this.send('split-finished', {
      importId: importIdOf(name),
      attempt,
      headerColumns: 1,
      blank: 0,
      partitions: Array.from({ length: partitions }, (_, index) => rangeOf(index)),
      artifactBytesBound,
    });
  }

  partition(name: string, attempt: number, index: number, outcome = outcomeOf(index, ROWS)): ResultCode {
    return this.send('partition-validated', { importId: importIdOf(name), attempt, index, outcome });
  }

  approve(name: string, validationDigest = this.validationDigest(name)): ResultCode {
    return this.send('approve-import', { importId: importIdOf(name), validationDigest }, OWNER);
  }

  acknowledge(name: string, index: number, rows = `rows ${index}`): ResultCode {
    return this.send(
      'acknowledge-batch',
      {
        importId: importIdOf(name),
        batchId: sha256Hex(`batch ${index}`),
        ackDigest: sha256Hex(rows),
      },
      { kind: 'capability', id: 'cap_backend' },
    );
  }

  cancel(name: string, actor: Actor): ResultCode {
    return this.send('cancel-import', { importId: importIdOf(name) }, actor);
  }

  erase(name: string): ResultCode {
    return this.send('erase-import', { importId: importIdOf(name) }, OWNER);
  }

  tidy(name: string): ResultCode {
    return this.send('tidy-import', { importId: importIdOf(name) }, SYSTEM);
  }

  createCapability(name: string, changes: JsonObject = {}): ResultCode {
    return this.send('create-capability', { ...capabilityNamed(name), ...changes }, OWNER);
  }

  revokeCapability(name: string): ResultCode {
    return this.send('revoke-capability', { schemaId, capabilityId: capabilityIdOf(name) }, OWNER);
  }

  /** Mints a session of a capability; its token's digest is made of its name. */
  mint(name: string, capability = 'backend'): ResultCode {
    const capabilityId = capabilityIdOf(capability);
    const input = { schemaId, capabilityId, digest: sha256Hex(name) };
    return this.send('mint-session', input, { kind: 'capability', id: capabilityId });
  }

  /** Uploads, maps and starts a validation of `partitions` partitions. */
  startValidation(name: string, partitions = 2): void {
    for (const verdict of [
      this.reserve(name),
      this.upload(name),
      this.map(name),
      this.validate(name),
      this.split(name, 1, partitions),
    ]) {
      if (verdict !== 'done') throw new Error(`starting a validation: ${verdict}`);
    }
  }

  /** Brings an import to `ready`. */
  ready(name: string, partitions = 2): void {
    this.startValidation(name, partitions);
    for (let index = 0; index < partitions; index += 1) this.partition(name, 1, index);
  }

  /** The digest that an approval names; any digest if there is none. */
  validationDigest(name: string): string {
    const row = this.row('import', importIdOf(name));
    const digest = row === null ? null : importDocumentSchema.parse(row).validation?.digest;
    return digest ?? sha256Hex('none');
  }

  document(name: string): ImportDocument {
    return importDocumentSchema.parse(this.row('import', importIdOf(name)));
  }

  row(kind: string, id: string): JsonObject | null {
    return this.folds.row('imports', installationId, kind, id);
  }

  /** Leaves a member out of a row, as a former version of the program has written it. */
  forget(kind: string, id: string, member: string): void {
    this.folds.forget('imports', installationId, { kind, id }, member);
  }

  root(): JsonObject | null {
    return this.folds.root('imports', installationId);
  }

  /** The kinds of all rows that are stored, but for those with which the runtime follows its own work. */
  kinds(): string[] {
    return this.#rows().map(({ kind }) => kind);
  }

  /** The documents of the rows of lists that follow keys. */
  rowTexts(): string[] {
    const [aggregate] = JSON.parse(this.folds.documents());
    const lists = aggregate.put.filter(({ kind }: { kind: string }) => kind === 'entity-keys');
    return lists.map((row: unknown) => canonicalJson(row));
  }

  /** The outcomes that are remembered. */
  outcomes(): JsonObject[] {
    return this.#rows().flatMap(({ kind, document }) => (kind === 'outcome' ? [document] : []));
  }

  #rows(): { readonly kind: string; readonly document: JsonObject }[] {
    const [aggregate] = JSON.parse(this.folds.documents());
    return aggregate.put.filter(
      ({ kind }: { kind: string }) => !['recent', 'pending', 'entity-keys'].includes(kind),
    );
  }

  /** The product's own documents, in an order that does not depend on when they were written. */
  documents(): string {
    const [aggregate] = JSON.parse(this.folds.documents());
    const own = aggregate.put.filter(({ kind }: { kind: string }) => !RUNTIME.includes(kind));
    const rows = own.map((row: unknown) => canonicalJson(row)).sort();
    return canonicalJson({ root: aggregate.root.state, rows });
  }
}

/** Rows of the runtime, which keep traces of commands that changed nothing. */
const RUNTIME = ['outcome', 'entity-keys', 'recent', 'pending'];
