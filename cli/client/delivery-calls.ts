// The three requests of a delivery, each with its answer checked.
import { type CallOptions, caller, pathOf } from './caller.ts';
import { type BatchAnswer, verifyBatch } from './content-address.ts';
import { SvcError } from './error.ts';

/** The schema whose imports are delivered, and the credential for it. */
export interface DeliveryTarget extends CallOptions {
  /** The address of the ingest host, such as `https://ingest.example.com`. */
  readonly baseUrl: string;
  /** The capability of the schema, `svc_capability_…`. */
  readonly capability: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  /** Ends the iterator before its next batch. A batch whose body has ended is still acknowledged. */
  readonly signal?: AbortSignal;
}

/** The names of a batch and of its rows. */
export interface AcknowledgedBatch {
  readonly importId: string;
  readonly batchId: string;
  readonly rowIds: readonly string[];
}

/** An acknowledgment that the service has stored. */
export interface Acknowledged {
  /** ISO 8601, UTC. */
  readonly acknowledgedAt: string;
  readonly remainingBatches: number;
}

export interface DeliveryList {
  readonly imports: readonly { readonly importId: string }[];
  readonly nextCursor: string | null;
}

export interface DeliveryCalls {
  acknowledge(batch: AcknowledgedBatch): Promise<Acknowledged>;
  /**
   * @param more parameters of the query
   * @param waitMs the time that the service may wait until an import is approved
   */
  list(more: string, waitMs: number): Promise<DeliveryList>;
  pull(importId: string, index: number): Promise<BatchAnswer>;
}

/** Returns the requests. Each rejects with `unexpected_answer` for an answer that none of a delivery is. */
export function deliveryCalls(options: DeliveryTarget): DeliveryCalls {
  const { capability, workspaceId, schemaId, signal } = options;
  const call = caller({ ...options, credential: capability }, options);
  const imports = pathOf('v1', 'import', 'delivery', workspaceId, schemaId, 'imports');

  async function acknowledge({ importId, batchId, rowIds }: AcknowledgedBatch): Promise<Acknowledged> {
    const ack = { version: 'svcimport.ack.v1', batchId, status: 'accepted', acceptedRowIds: rowIds };
    const body = { version: 'svcimport.acknowledge.v1', importId, ack };
    const answer = await call({ method: 'POST', path: `${imports}${pathOf(importId)}/ack`, body });
    if (!isText(Object(answer).acknowledgedAt)) throw unexpected();
    return answer as Acknowledged;
  }

  async function list(more: string, waitMs: number): Promise<DeliveryList> {
    const answer = await call({
      method: 'GET',
      path: `${imports}?filter=undelivered${more}`,
      waitMs,
      signal,
    });
    const { imports: entries, nextCursor } = Object(answer);
    const isList = Array.isArray(entries) && entries.every((each) => isText(each?.importId));
    if (!isList || (nextCursor !== null && !isText(nextCursor))) throw unexpected();
    return answer as DeliveryList;
  }

  async function pull(importId: string, index: number): Promise<BatchAnswer> {
    const path = `${imports}${pathOf(importId)}/batches?index=${index}`;
    const answer = await call({ method: 'GET', path, signal });
    const { rows, manifest, nextIndex } = Object(answer);
    const isBatch = Array.isArray(rows) && rows.every(hasValues) && Array.isArray(Object(manifest).rowIds);
    if (!isBatch || (nextIndex !== null && nextIndex !== index + 1)) throw unexpected();
    await verifyBatch({ ...(answer as BatchAnswer), importId, index });
    return answer as BatchAnswer;
  }

  return { acknowledge, list, pull };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function hasValues(row: { readonly values?: unknown } | null): boolean {
  return Object(row?.values) === row?.values;
}

/** The error of an answer that none of a delivery is. */
export function unexpected(): SvcError {
  return new SvcError('unexpected_answer', 'The answer does not come from a delivery.', { status: 200 });
}
