import { personName } from '../../api/person-name.ts';
import '../../style/people.css';
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { membersQuery } from '../../api/members.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { allKeysQuery } from '../keys/queries.ts';
import { EntryTable } from './entry-table.tsx';
import { ExportButton } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type AuditFilters, filtersOf, isFiltered, withFilter } from './filters.ts';
import { auditEntriesQuery, auditWorkspacesQuery } from './queries.ts';

/** `/audit?who&what&where&from&to&request&entry`: what people did for the organization, and which private data they read. */
export function AuditPage() {
  const { role } = useMembership();
  if (!mayDecide(role)) {
    return (
      <>
        <PageHead title="Audit" />
        <div class="stack">
          <p class="notice">
            Owners and admins read the audit log. Your role is member; an owner or admin can change it under
            Members.
          </p>
        </div>
      </>
    );
  }
  return <AuditLog />;
}

function AuditLog() {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params);
  const list = useInfiniteQuery(auditEntriesQuery(filters));
  const people = useQuery(membersQuery);
  const members = people.data?.members ?? [];
  const entries = list.data?.pages.flatMap((page) => page.entries);
  const workspaces = useQuery(auditWorkspacesQuery);
  const keys = useInfiniteQuery(allKeysQuery);
  const names = new Map([
    ...members.map((member) => [member.userId, personName(member)] as const),
    ...(workspaces.data?.workspaces ?? []).map(({ workspaceId, name }) => [workspaceId, name] as const),
    ...(keys.data?.pages ?? []).flatMap((page) => page.keys.map(({ keyId, name }) => [keyId, name] as const)),
    ...(people.data?.invitations ?? []).flatMap(({ invitationId, forWhom }) =>
      forWhom === null ? [] : [[invitationId, `for ${forWhom}`] as const],
    ),
  ]);
  const [open, openEntry] = useAsked('entry');
  return (
    <>
      <PageHead
        title="Audit"
        meta={
          <span>Every change and every read of private data, newest first. Entries are never deleted.</span>
        }
        actions={<ExportButton filters={filters} />}
      />
      <div class="stack">
        <section aria-label="Entries">
          <FilterBar
            filters={filters}
            members={members}
            onChange={(name, value) => setParams(withFilter(params, name, value))}
          />
          {list.error !== null && !list.isFetchNextPageError && (
            <ReadProblem query={list} title="The audit log could not be read" />
          )}
          {(entries !== undefined || list.error === null) && (
            <EntryTable
              // The widths of columns follow the names.
              entries={people.isPending || workspaces.isPending ? undefined : entries}
              names={names}
              open={open}
              onOpen={openEntry}
              empty={emptyText(filters)}
              isWhole={!list.hasNextPage}
            />
          )}
          <UnreadableEntries entries={unreadableIn(list.data?.pages)} />
          <LoadMore query={list} />
        </section>
      </div>
    </>
  );
}

function emptyText(filters: AuditFilters): string {
  if (filters.request !== '')
    return 'No entries. The request was refused, or only read data. An operator can find the id in the log of the service.';
  return isFiltered(filters) ? 'No entry passes these filters.' : 'Nothing has happened yet.';
}
