import type { z } from 'zod';
import { type Refusal, refusal } from '../base/errors.ts';
import { isoTime, isoTimeOrNull } from '../base/time.ts';
import type { Limits } from '../limits.ts';
import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { Approval, CapabilityDocument, ImportDocument, StoredStatus, Validation } from './documents.ts';
import type { importStatusSchema } from './http.ts';

/** The facts that an import's status depends on besides itself. */
export interface StatusContext {
  readonly lifecycle: Pick<Lifecycle, 'expiresAt'>;
  /** The current revision of its schema. */
  readonly currentRevision: number;
  readonly now: number;
}

/** An import as it is at a time. Void parts do not show. */
export interface EffectiveImport {
  readonly status: StoredStatus | 'expired';
  /** When its private bytes stop being available. */
  readonly expiresAt: number;
  /** Its schema has a newer revision: it can only be read, acknowledged, cancelled and erased. */
  readonly superseded: boolean;
  readonly validation: Validation | null;
  /** The approval of just this validation. */
  readonly approval: Approval | null;
}

/**
 * Expiry and void validations are computed here and nowhere stored: seven days from the end of the upload (before it: from
 * the reservation), or the preview's end while there is one; a newer schema revision takes validation and approval
 * away from all but a delivered import (infra/docs/reference/imports.md#statuses).
 */
export function effectiveImport(
  document: ImportDocument,
  { lifecycle, currentRevision, now }: StatusContext,
): EffectiveImport {
  const expiresAt = Math.min(document.retainedUntil, lifecycle.expiresAt ?? document.retainedUntil);
  const superseded = document.schemaRevision < currentRevision;
  const validation = superseded && isValidated(document.status) ? null : document.validation;
  const approval = document.approvals.find(({ attempt }) => attempt === validation?.attempt) ?? null;
  return {
    status: statusOf(document.status, superseded, now >= expiresAt),
    expiresAt,
    superseded,
    validation,
    approval,
  };
}

function statusOf(stored: StoredStatus, superseded: boolean, ended: boolean): EffectiveImport['status'] {
  if (stored === 'cancelled') return 'cancelled';
  if (ended) return 'expired';
  return superseded && isValidated(stored) ? 'uploaded' : stored;
}

/** The statuses that a newer schema revision turns into `uploaded`. */
function isValidated(status: StoredStatus): boolean {
  switch (status) {
    case 'validating':
    case 'ready':
    case 'needs_correction':
    case 'approved':
      return true;
    case 'reserved':
    case 'uploaded':
    case 'delivered':
    case 'failed':
    case 'cancelled':
      return false;
  }
}

/** The answer for an import that its owner erased. */
export const ERASED = refusal('erased', {
  at: 'import.status',
  seen: 'erased',
  expected: 'an import that exists',
});

/** Why private data of an import is not available any more, or null. */
export function endedRefusal({ status, expiresAt }: EffectiveImport): Refusal | null {
  switch (status) {
    case 'expired':
      return refusal('expired', {
        at: 'import.status',
        seen: `expired since ${isoTime(expiresAt)}`,
        expected: 'an import that has not ended; upload the file again',
      });
    case 'cancelled':
      return refusal('cancelled', {
        at: 'import.status',
        seen: 'cancelled',
        expected: 'an import that has not ended; upload the file again',
      });
    default:
      return null;
  }
}

/** Why an import takes no command that works on its file, or null. */
export function workRefusal(effective: EffectiveImport): Refusal | null {
  return endedRefusal(effective) ?? (effective.superseded ? SUPERSEDED : null);
}

const SUPERSEDED = refusal('revision_conflict', {
  at: 'import.schemaRevision',
  seen: 'an earlier revision of the schema',
  expected: 'the current one; upload the file again under that one',
});

/** A status that does not allow what was asked, with the statuses that do. */
export function statusRefusal(effective: EffectiveImport, allowed: readonly StoredStatus[]): Refusal | null {
  const { status } = effective;
  if (allowed.some((one) => one === status)) return null;
  return refusal('state_conflict', {
    at: 'import.status',
    seen: `${status}`,
    expected: `the status ${allowed.join(' or ')}`,
  });
}

export type ImportStatus = z.infer<typeof importStatusSchema>;

/** ImportStatus of the interface: counts, digests' absence and times; nothing private. */
export function importStatusAnswer(
  importId: string,
  document: ImportDocument,
  effective: EffectiveImport,
  limits: Limits,
): ImportStatus {
  const { validation, approval } = effective;
  return {
    importId,
    schemaId: document.schemaId,
    schemaRevision: document.schemaRevision,
    mappingRevision: document.mappingRevision === 0 ? null : document.mappingRevision,
    status: effective.status,
    createdBy: document.createdBy,
    byteLength: document.byteLength,
    rows: rowCounts(validation),
    progress: { done: validation?.done ?? 0, total: validation?.split?.partitions ?? 0 },
    errorCounts: validation?.errorCounts ?? [],
    validations: { used: document.validations, limit: limits.imports.validationsPerImport },
    artifactBytes: { used: document.artifactBytes, limit: limits.imports.artifactBytes },
    batchCount: batchCount(validation),
    acknowledgedBatches: approval?.acknowledged ?? acceptedBatches(document),
    approvedAt: isoTimeOrNull(approval?.approvedAt ?? null),
    approvedBy: approval?.approvedBy ?? null,
    uploadedAt: isoTimeOrNull(document.source?.uploadedAt ?? null),
    expiresAt: isoTime(effective.expiresAt),
    failure: document.failure,
    ...(document.changes && { changes: document.changes }),
  };
}

/** When a capability or a session ends: at its own end, or with the preview while the workspace is one. */
export function capabilityEnd(
  { endsAt }: Pick<CapabilityDocument, 'endsAt'>,
  { expiresAt }: Pick<Lifecycle, 'expiresAt'>,
): number {
  return Math.min(endsAt, expiresAt ?? endsAt);
}

/** Batches exist once every row is valid. */
export function batchCount(validation: Validation | null): number {
  return validation === null || validation.digest === null ? 0 : (validation.split?.partitions ?? 0);
}

/** Batches of an import that were ever acknowledged; a program that did not count them counted those of each approval. */
export function acceptedBatches({ acceptedBatches: counted, approvals }: ImportDocument): number {
  return counted ?? Math.max(0, ...approvals.map(({ acknowledged }) => acknowledged));
}

/** The counts so far: the total is the sum of the others at every moment. */
function rowCounts(validation: Validation | null): ImportStatus['rows'] {
  const { valid, invalid } = validation ?? { valid: 0, invalid: 0 };
  const blank = validation?.split?.blank ?? 0;
  return { total: valid + invalid + blank, valid, invalid, blank };
}
