import { auditTimePosition, type EntryDocument } from '../../schemas/audit/documents.ts';
import {
  type AuditEntry,
  type AuditQuery,
  auditListSchema,
  auditQuerySchema,
} from '../../schemas/audit/http.ts';
import { installationOf } from '../../schemas/base/ids.ts';
import { canonicalJson } from '../../schemas/base/json.ts';
import { isoTime, MINUTE_MS } from '../../schemas/base/time.ts';
import { spreadsheetCsv } from '../../schemas/csv/spreadsheet-csv.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import { owner } from '../audiences.ts';
import { accepts } from '../http/headers.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { Unreadable } from '../http/records/readings.ts';
import type { Attachment } from '../http/routing/route.ts';
import type { GatewayServices } from '../services.ts';
import { readEntries } from './read-entries.ts';

const CSV = 'text/csv';

/**
 * The largest difference between the log's clock and this one. Records further ahead are not folded
 * (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md).
 */
const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

export const listAuditEntriesRoute = owner.get('/audit', {
  name: 'listAuditEntries',
  summary: "Read the organization's audit log",
  description:
    'Returns entries, newest first. An entry appears a moment after the change that it is about was answered. With `Accept: text/csv` the answer is a file that is safe to open in a spreadsheet; the address of the next page is in the header `Link`.',
  query: auditQuerySchema,
  success: {
    status: 200,
    schema: auditListSchema,
    attachment: CSV,
    file: 'at,actor_kind,actor_id,action,target,request_id,detail\r\n',
    description: 'One page of entries; as CSV it is safe to open in a spreadsheet',
  },
  recordsRead: { action: 'audit.export', only: 'attachment' },
  async handle({ principal, query, request, services }) {
    const page = await readEntries(services.store, {
      organizationId: principal.organizationId,
      before: startOf(query, services.clock.now()),
      from: Math.max(query.from ?? 0, await beginningOf(services, principal.organizationId)),
      limit: query.limit,
      accepts: (entry) => isWanted(entry, query),
    });
    const entries = page.entries.map(answerOf);
    const { unreadable, nextCursor } = page;
    if (!accepts(request, CSV)) return { body: { entries, nextCursor }, unreadable };
    return { attachment: asFile(entries, unreadable), headers: linkTo(query, nextCursor), unreadable };
  },
});

/**
 * The position before which the page's entries are. A cursor cannot move it past `to`, or past the newest possible entry.
 */
function startOf({ cursor, to }: AuditQuery, now: number): string {
  const end = auditTimePosition(
    Math.max(0, Math.min(to ?? Number.MAX_SAFE_INTEGER, now + CLOCK_DIFFERENCE_MS)),
  );
  return cursor === undefined || cursor > end ? end : cursor;
}

/** The earliest possible time of an organization's entries, in Unix milliseconds. */
async function beginningOf({ store }: GatewayServices, organizationId: string): Promise<number> {
  const organization = { table: 'organizations', id: organizationId } as const;
  const { root } = await readAggregate(store, organization, organizationDocumentSchema);
  return Math.max(0, (root?.createdAt ?? 0) - CLOCK_DIFFERENCE_MS);
}

function isWanted(entry: EntryDocument, { workspaceId, actor, action, requestId }: AuditQuery): boolean {
  return (
    (actor === undefined || entry.actor.id === actor) &&
    (requestId === undefined || entry.requestId === requestId) &&
    (action === undefined || entry.action === action) &&
    (workspaceId === undefined || concerns(entry, workspaceId))
  );
}

/** True if an entry is about a workspace: its target is an aggregate of the workspace, or its detail names it. */
function concerns({ target, detail }: EntryDocument, workspaceId: string): boolean {
  const installationId = installationOf(workspaceId);
  return (
    target?.split('/')[0] === installationId ||
    detail['workspaceId'] === workspaceId ||
    detail['installationId'] === installationId
  );
}

function answerOf({ at, ...entry }: EntryDocument): AuditEntry {
  return { at: isoTime(at), ...entry };
}

/** The entries as a table, those that cannot be read last: the action says so, and the target is the id of the entry. */
function asFile(entries: readonly AuditEntry[], unreadable: readonly Unreadable[]): Attachment {
  const header = ['at', 'actor_kind', 'actor_id', 'action', 'target', 'request_id', 'detail'];
  const rows = entries.map(({ at, actor, action, target, requestId, detail }) => [
    at,
    actor.kind,
    actor.id,
    action,
    target ?? '',
    requestId,
    canonicalJson(detail),
  ]);
  const others = unreadable.map(({ id }) => ['', '', '', 'unreadable', id, '', '']);
  return { contentType: CSV, fileName: 'audit.csv', text: spreadsheetCsv([header, ...rows, ...others]) };
}

/** The header that names the same query with the cursor of the next page. */
function linkTo({ from, to, ...query }: AuditQuery, cursor: string | null): Record<string, string> {
  if (cursor === null) return {};
  const asked = { ...query, from: isoTimeOrUndefined(from), to: isoTimeOrUndefined(to), cursor };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { Link: `<${listAuditEntriesRoute.path}?${parameters}>; rel="next"` };
}

function isoTimeOrUndefined(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : isoTime(epochMs);
}
