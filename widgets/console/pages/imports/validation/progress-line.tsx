import type { Schemas } from '../../../api/interface.ts';
import { ahead, done, now, type Segment, SegmentLine } from '../../../parts/frame/segment-line.tsx';
import type { ImportDetail } from '../queries.ts';

type Provenance = Schemas['ImportProvenance'];

type Facts = Pick<
  ImportDetail,
  | 'status'
  | 'validations'
  | 'acknowledgedBatches'
  | 'batchCount'
  | 'mappingRevision'
  | 'progress'
  | 'capabilities'
>;

const AHEAD = {
  validated: 'Checks every row',
  ready: 'Every row valid',
  approved: 'By an owner or admin',
  delivered: 'Pulled by your backend',
} as const;

/**
 * The way of an import, one segment a state: those that are done with their time, the current one with whom it waits for, and
 * those ahead. An import that has ended keeps what it reached, and its end.
 */
export function segments(facts: Facts, times: Provenance | null): Segment[] {
  const { status, validations } = facts;
  const nth = validations.used > 0 ? `, ${validations.used} of ${validations.limit}` : '';
  const uploaded = done('Uploaded', times?.uploadedAt ?? null);
  const validated = done('Validated', times?.validatedAt ?? null, nth);
  const ready = ahead('Ready', AHEAD.ready);
  const approved = ahead('Approved', AHEAD.approved);
  const delivered = ahead('Delivered', AHEAD.delivered);
  const later = [ready, approved, delivered];
  const acknowledged = `${facts.acknowledgedBatches} of ${facts.batchCount} batches`;
  switch (status) {
    case 'reserved':
      return [now('Reserved', 'info', 'Waiting for the file'), ahead('Validated', AHEAD.validated), ...later];
    case 'uploaded':
      return [now('Uploaded', 'warn', nextAfterUpload(facts)), ahead('Validated', AHEAD.validated), ...later];
    case 'validating':
      return [uploaded, now('Validating', 'info', 'Waits for the service'), ...later];
    case 'needs_correction':
      return [uploaded, validated, now('Needs correction', 'warn', 'Waits for a correction'), ...later];
    case 'ready':
      return [uploaded, validated, now('Ready', 'ok', 'Waits for an owner or admin'), approved, delivered];
    case 'approved':
      return [
        uploaded,
        validated,
        done('Approved', times?.approvedAt ?? null),
        facts.capabilities === 0
          ? now('Not delivered', 'warn', 'Waits for a capability')
          : now('Delivering', 'info', `Waits for your backend, ${acknowledged}`),
      ];
    case 'delivered':
      return [
        uploaded,
        validated,
        done('Approved', times?.approvedAt ?? null),
        { ...now('Delivered', 'ok', acknowledged), at: times?.deliveredAt ?? null },
      ];
    case 'failed':
      return [uploaded, now('Failed', 'bad', 'Waits for another file')];
    case 'cancelled':
    case 'expired':
    case 'erased':
      return ended(status, times);
  }
}

function ended(status: 'cancelled' | 'expired' | 'erased', times: Provenance | null): Segment[] {
  const reached = [
    done('Reserved', times?.reservedAt ?? null),
    done('Uploaded', times?.uploadedAt ?? null),
    done('Validated', times?.validatedAt ?? null),
    done('Approved', times?.approvedAt ?? null),
  ].filter(({ at }) => at !== null);
  const word = { cancelled: 'Cancelled', expired: 'Expired', erased: 'Erased' }[status];
  return [...reached, now(word, 'idle', 'Its private data is deleted')];
}

function nextAfterUpload({ mappingRevision }: Facts): string {
  return mappingRevision === null ? 'Waits for a mapping' : 'Waits for a validation';
}

/** Progress through states as a line. */
export function ProgressLine({ facts, times }: { readonly facts: Facts; readonly times: Provenance | null }) {
  return <SegmentLine segments={segments(facts, times)} />;
}
