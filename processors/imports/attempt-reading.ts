import { LRUCache } from 'lru-cache';
import { readStored } from '../../schemas/base/stored.ts';
import type { ImportConfiguration } from '../../schemas/imports/configuration.ts';
import {
  type ImportDocument,
  importDocumentSchema,
  type MappingDocument,
  mappingDocumentSchema,
  schemaRevisionDocumentSchema,
  type Validation,
} from '../../schemas/imports/documents.ts';
import { mappingRowId, schemaRevisionRowId } from '../../schemas/imports/row-ids.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Store } from '../../topics/ports/store.ts';

/** Which validation of which import a work item belongs to. */
export interface AttemptName {
  readonly installationId: string;
  readonly importId: string;
  readonly attempt: number;
}

/** The part of it that a consumer needs. */
export interface AttemptReading extends Plan {
  readonly document: ImportDocument;
  readonly validation: Validation;
}

/** Plans that a reader keeps: those of imports that are validated at the same time. */
const PLANS_KEPT = 16;

/** The schema and mapping by which the rows of an attempt are validated. */
interface Plan {
  readonly configuration: ImportConfiguration;
  readonly mapping: MappingDocument;
}

/**
 * Reads the data that the items of an attempt leave out. A revision of a schema or mapping never changes, so the plan
 * from both is read once for all items of a file. The state of the attempt is read for each item.
 */
export class AttemptReader {
  readonly #store: Pick<Store, 'read'>;
  readonly #plans = new LRUCache<string, Plan>({ max: PLANS_KEPT });

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store;
  }

  /**
   * Null if the attempt has ended and its items are to be dropped.
   *
   * @throws {EngineUnavailableError} while the store is down.
   */
  async read(name: AttemptName): Promise<AttemptReading | null> {
    const running = await readRunning(this.#store, name);
    if (running === null) return null;
    const plan = await this.#plan(name, running.document);
    return plan === null ? null : { ...running, ...plan };
  }

  async #plan({ installationId, importId }: AttemptName, document: ImportDocument): Promise<Plan | null> {
    const revisionId = schemaRevisionRowId(document.schemaId, document.schemaRevision);
    const mappingId = mappingRowId(importId, document.mappingRevision);
    const key = `${installationId} ${revisionId} ${mappingId}`;
    const kept = this.#plans.get(key);
    if (kept !== undefined) return kept;
    const plan = await readPlan(this.#store, installationId, revisionId, mappingId);
    if (plan === null) return null;
    this.#plans.set(key, plan);
    return plan;
  }
}

async function readPlan(
  store: Pick<Store, 'read'>,
  installationId: string,
  revisionId: string,
  mappingId: string,
): Promise<Plan | null> {
  const { rows } = await store.read({ table: 'imports', id: installationId }, [
    { kind: 'schema-revision', id: revisionId },
    { kind: 'mapping', id: mappingId },
  ]);
  const revision = rows.find(({ kind }) => kind === 'schema-revision');
  const mapping = rows.find(({ kind }) => kind === 'mapping');
  // A missing mapping was replaced a moment ago, which ended the attempt.
  if (revision === undefined || mapping === undefined) return null;
  return {
    configuration: readStored(schemaRevisionDocumentSchema, revision.document).configuration,
    mapping: readStored(mappingDocumentSchema, mapping.document),
  };
}

/**
 * True if the output of an attempt is still needed: it is running, or it ended with a result. A worker that was slower than
 * another one on the same item finds the import `ready`, and must not take its batches away.
 *
 * @throws {EngineUnavailableError} while the store is down.
 */
export async function isWanted(store: Pick<Store, 'read'>, name: AttemptName): Promise<boolean> {
  const document = await readImport(store, name);
  return document?.validation?.attempt === name.attempt && document.tidiedAt === null;
}

/**
 * Does the work of an attempt, or returns null if the attempt has ended. A file or a group of blobs that disappears
 * in the middle because the import has ended is no failure. The read that let the work begin may have been stale, so
 * a serial read decides.
 *
 * @throws {EngineUnavailableError} while the store is down
 */
export async function whileRunning<Result>(
  store: Pick<Store, 'load'>,
  name: AttemptName,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnavailableError) throw error;
    const running = await readRunning({ read: (...wanted) => store.load(...wanted) }, name);
    if (running === null) return null;
    throw error;
  }
}

async function readRunning(store: Pick<Store, 'read'>, name: AttemptName) {
  const document = await readImport(store, name);
  if (document?.status !== 'validating' || document.validation?.attempt !== name.attempt) return null;
  return { document, validation: document.validation };
}

async function readImport(
  store: Pick<Store, 'read'>,
  { installationId, importId }: AttemptName,
): Promise<ImportDocument | null> {
  const { rows } = await store.read({ table: 'imports', id: installationId }, [
    { kind: 'import', id: importId },
  ]);
  const [row] = rows;
  return row === undefined ? null : readStored(importDocumentSchema, row.document);
}
