import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { type AuditFilters, auditQueryOf } from './filters.ts';

export type Entry = Schemas['AuditEntry'];

/** Entries of one answer. */
const ENTRIES_A_PAGE = 50;

/** The largest number of entries in an answer. */
const PAGE_ENTRIES_MAX = 100;

/** The largest number of pages in a file: 10,000 entries. */
const FILE_PAGES_MAX = 100;

/** The entries that pass the filters, a page at a time, newest first. */
export function auditEntriesQuery(filters: AuditFilters) {
  const query = auditQueryOf(filters);
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: async ({ pageParam }): Promise<Schemas['AuditList']> => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const params = { query: { ...query, ...cursor, limit: ENTRIES_A_PAGE } };
      const page = await answer(api.GET('/v1/console/audit', { params }));
      if (typeof page === 'string') throw new Error('reading the audit log: the answer is a file');
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The workspaces to filter by: the newest of the organization. */
export const auditWorkspacesQuery = queryOptions({
  queryKey: ['audit', 'workspaces'],
  queryFn: () =>
    answer(api.GET('/v1/console/workspaces', { params: { query: { limit: PAGE_ENTRIES_MAX } } })),
});

/** The entries as a CSV file, and whether it holds all of them. */
export async function auditFile(
  filters: AuditFilters,
): Promise<{ readonly file: Blob; readonly isWhole: boolean }> {
  const parts: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < FILE_PAGES_MAX; page += 1) {
    const query = {
      ...auditQueryOf(filters),
      limit: PAGE_ENTRIES_MAX,
      ...(cursor === null ? {} : { cursor }),
    };
    const asked = await api.GET('/v1/console/audit', {
      params: { query },
      headers: { Accept: 'text/csv' },
      parseAs: 'text',
    });
    const text = await answer(Promise.resolve(asked));
    // Each page has a header line; the file has one.
    parts.push(page === 0 ? String(text) : String(text).slice(String(text).indexOf('\n') + 1));
    cursor = nextCursorOf(asked.response.headers.get('link'));
    if (cursor === null) break;
  }
  return { file: new Blob(parts, { type: 'text/csv' }), isWhole: cursor === null };
}

/** The cursor in the header `Link` (RFC 8288) of a page, or null on the last one. */
function nextCursorOf(link: string | null): string | null {
  const next = /^<([^>]+)>;\s*rel="next"$/.exec(link ?? '')?.[1];
  return next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor');
}
