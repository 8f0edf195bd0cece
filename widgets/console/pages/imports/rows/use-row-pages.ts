import { type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { useSyncExternalStore } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { answer, api, hasStatus } from '../../../api/client.ts';
import type { Schemas } from '../../../api/interface.ts';
import { mayDecide, useMembership } from '../../../api/session.ts';
import { WITH_ROWS } from '../import-state.ts';
import { type ImportDetail, importKey, type Place } from '../queries.ts';
import { filterOf, type RowFilter } from './row-filter.ts';
import { RowPages } from './row-pages.ts';

/** Which rows: those of one validation, by filter and by a text in a cell. */
export interface RowList {
  readonly place: Place;
  /** Changes with each validation, so that rows of another one are never mixed in. */
  readonly version: string;
  readonly filter: RowFilter;
  /** Null: any text. */
  readonly contains: string | null;
}

/** Names the validation whose rows an import shows. */
function rowsVersion(detail: ImportDetail): string {
  return `${detail.validations.used}/${detail.mappingRevision ?? 0}`;
}

/** A key that changes with the list. */
export function listKey({ place, version, filter, contains }: RowList): string {
  return JSON.stringify([place.importId, version, filter.shown, filter.field, filter.code, contains]);
}

/** True for the list of all rows, in which the position of a row is its number. */
export function isWhole({ filter, contains }: RowList): boolean {
  return filter.shown === 'all' && filter.field === null && filter.code === null && contains === null;
}

/** The rows of an import that a page shows, and its search by a text in a cell. */
export interface ShownRows {
  readonly list: RowList;
  readonly pages: RowPages;
  readonly total: number;
  /** The rows of the list, if the counts of the import say so. */
  readonly known: number | null;
  readonly onFind: (text: string | null) => void;
}

/**
 * The rows of a list around the viewport, whose first ones are asked for at once: before the page can draw them, which waits for the
 * schema. Null for an import or a person without rows. The caller is not drawn again when rows arrive; see {@link useRowsOutline} and
 * {@link useArrivingRows}.
 */
export function useShownRows(place: Place, detail: ImportDetail): ShownRows | null {
  const queries = useQueryClient();
  const { role } = useMembership();
  const [search] = useSearchParams();
  const [contains, setContains] = useState<string | null>(null);
  const list: RowList = { place, version: rowsVersion(detail), filter: filterOf(search, detail), contains };
  const hasRows = mayDecide(role) && WITH_ROWS.includes(detail.status);
  const total = detail.rows.valid + detail.rows.invalid;
  const key = hasRows ? listKey(list) : null;
  const pages = useMemo(() => {
    if (key === null) return null;
    return new RowPages(
      (cursor, limit) => fetchRows(queries, list, cursor, limit),
      isWhole(list) ? total : null,
    );
  }, [queries, key, total]);
  useLayoutEffect(() => {
    pages?.show(0, 0);
    return () => pages?.dispose();
  }, [pages]);
  return pages === null ? null : { list, pages, total, known: knownRows(list, detail), onFind: setContains };
}

/** The rows of a list before they are read. A row has at most one error of a code in a column. */
function knownRows(
  { filter: { shown, field, code }, contains }: RowList,
  detail: ImportDetail,
): number | null {
  if (contains !== null) return null;
  if (field === null && code === null) {
    const { valid, invalid } = detail.rows;
    return { all: valid + invalid, valid, invalid }[shown];
  }
  return detail.errorCounts.find((each) => each.column === field && each.code === code)?.count ?? null;
}

/**
 * Draws the caller again when the number of rows or an error changes. A refusal of the rows, because the import has changed, reads
 * the import again.
 */
export function useRowsOutline({ list: { place }, pages }: ShownRows): void {
  const queries = useQueryClient();
  useSyncExternalStore(pages.subscribe, pages.outlineVersion);
  const { error } = pages;
  const hasChanged = hasStatus(error, 409) || hasStatus(error, 410);
  const { workspaceId, importId } = place;
  useEffect(() => {
    if (hasChanged) void queries.invalidateQueries({ queryKey: importKey({ workspaceId, importId }) });
  }, [queries, hasChanged, workspaceId, importId]);
}

/**
 * Draws the caller again after rows have arrived, in the next frame: behind its scroll event, which would otherwise have to lay out
 * the new rows to read how far the list is scrolled.
 */
export function useArrivingRows(pages: RowPages): void {
  const subscribe = useCallback(
    (draw: () => void) => {
      let frame: number | null = null;
      const unsubscribe = pages.subscribe(() => {
        frame ??= requestAnimationFrame(() => {
          frame = null;
          draw();
        });
      });
      return () => {
        unsubscribe();
        if (frame !== null) cancelAnimationFrame(frame);
      };
    },
    [pages],
  );
  useSyncExternalStore(subscribe, pages.version);
}

/** One page. It goes through the cache of queries for its retries and the end of a session, and is not kept there. */
export function fetchRows(
  queries: QueryClient,
  list: RowList,
  cursor: string,
  limit: number,
): Promise<Schemas['ImportRowList']> {
  return queries.fetchQuery({
    queryKey: [...importKey(list.place), 'rows', listKey(list), cursor, limit],
    queryFn: () => requestRows(list, cursor, limit),
    gcTime: 0,
    staleTime: 0,
  });
}

function requestRows({ place, filter, contains }: RowList, cursor: string, limit: number) {
  const params = {
    path: { ...place },
    query: {
      filter: filter.shown,
      cursor,
      limit,
      ...(filter.field === null ? {} : { field: filter.field }),
      ...(filter.code === null ? {} : { code: filter.code }),
    },
  };
  if (contains === null) {
    return answer(api.GET('/v1/console/workspaces/{workspaceId}/imports/{importId}/rows', { params }));
  }
  return answer(
    api.POST('/v1/console/workspaces/{workspaceId}/imports/{importId}/rows/search', {
      params,
      body: { contains },
    }),
  );
}
