import type { AuditDetail } from '../../schemas/audit/documents.ts';
import type { ImportDocument } from '../../schemas/imports/documents.ts';

/**
 * Returns what the sender says it changed, for the audit log: a count by kind of change, as `senderChangedDates`; true for a change
 * without a count.
 */
export function changeCounts({ changes = [] }: Pick<ImportDocument, 'changes'>): AuditDetail {
  const counts: Record<string, number | true> = {};
  for (const { kind, cells = 0, rows = 0, lines = 0 } of changes) {
    const name = `senderChanged${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    counts[name] = Number(counts[name] ?? 0) + cells + rows + lines;
  }
  for (const [name, count] of Object.entries(counts)) if (count === 0) counts[name] = true;
  return counts;
}
