import {
  auditLogOfMonth,
  auditMonthBefore,
  auditTimePosition,
  type EntryDocument,
  entryDocumentSchema,
} from '../../schemas/audit/documents.ts';
import { utcMonth } from '../../schemas/base/time.ts';
import { joined, mapFound, type Readings, readRows, type Unreadable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

/** A walk over the entries of one organization's log, from newest to oldest. */
export interface AuditWalk {
  readonly organizationId: string;
  /** The position before which entries are read: the end of the previous page. */
  readonly before: string;
  /** The earliest time of entries, in Unix milliseconds. It bounds the walk. */
  readonly from: number;
  readonly limit: number;
  accepts(entry: EntryDocument): boolean;
}

export interface AuditPage {
  readonly entries: readonly EntryDocument[];
  readonly unreadable: readonly Unreadable[];
  readonly nextCursor: string | null;
}

/** Entries in one read. */
const ENTRIES_AT_ONCE = 100;
/** Reads for one page, and so the months that a page can span. Its cursor leads to the next page. */
const READS_MAX = 12;

/** Reads one page of the entries that the walk accepts. A short or empty page can still have a cursor. */
export async function readEntries(store: GatewayServices['store'], walk: AuditWalk): Promise<AuditPage> {
  const found: Found[] = [];
  const oldest = auditTimePosition(walk.from);
  let before = walk.before;
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const month = auditMonthBefore(before);
    if (month < utcMonth(walk.from)) return pageOf(found, null);
    const { entries, next } = await readOnce(store, auditLogOfMonth(walk.organizationId, month), before);
    const young = entries.filter(({ id }) => id > oldest);
    found.push(...young.filter(({ entry }) => entry.found.every(walk.accepts)));
    if (found.length > walk.limit) {
      const page = found.slice(0, walk.limit);
      return pageOf(page, page.at(-1)?.id ?? null);
    }
    if (young.length < entries.length) return pageOf(found, null);
    before = next ?? auditTimePosition(startOf(month));
  }
  return pageOf(found, before);
}

interface Found {
  readonly id: string;
  /** One entry, found or unreadable. */
  readonly entry: Readings<EntryDocument>;
}

function pageOf(found: readonly Found[], nextCursor: string | null): AuditPage {
  const { found: entries, unreadable } = joined(found.map(({ entry }) => entry));
  return { entries, unreadable, nextCursor };
}

/** The newest entries of a month before a position, and the position of the rest of the month, or null without a rest. */
async function readOnce(
  store: GatewayServices['store'],
  log: string,
  before: string,
): Promise<{ readonly entries: readonly Found[]; readonly next: string | null }> {
  const rows = await store.list({ table: 'audit', id: log }, 'entry', {
    limit: ENTRIES_AT_ONCE,
    reverse: true,
    after: before,
  });
  return {
    entries: rows.map((row) => ({
      id: row.id,
      entry: mapFound(readRows(entryDocumentSchema, [row]), ({ document }) => document),
    })),
    next: rows.length < ENTRIES_AT_ONCE ? null : (rows.at(-1)?.id ?? null),
  };
}

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00.000Z`);
}
