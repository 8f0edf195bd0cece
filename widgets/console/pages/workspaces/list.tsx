import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import type { Schemas } from '../../api/interface.ts';
import { EXACT_TEXT } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/frame/icon.tsx';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Countdown, RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { actionPath, actionWords, listSummary, optIns } from './next-action.ts';
import { NoWorkspaces } from './no-workspaces.tsx';
import { workspacesQuery } from './queries.ts';
import { StateFilter } from './state-filter.tsx';
import { matchesFilter, waitingFirst } from './workspace-filter.ts';

type Listed = Schemas['ListedWorkspace'];

/** While there is none, the page looks for the first workspace this often. */
const WAIT_MS = 5_000;

const COLUMNS = ['Name', 'State', 'Ends', 'Opt-ins', 'Last activity', 'Next'];

/** `/agent-workspaces?q=…&state=…`: every workspace of the organization. */
export function WorkspacesPage() {
  const list = useInfiniteQuery({
    ...workspacesQuery,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.workspaces.length === 0 ? WAIT_MS : false),
  });
  const [params] = useSearchParams();
  const [isClaiming, setClaiming] = useState(false);
  const workspaces = list.data?.pages.flatMap((page) => page.workspaces);
  const filter = { text: params.get('q') ?? '', state: params.get('state') };
  const isFiltered = filter.text !== '' || filter.state !== null;
  // A filter is exact only over all pages.
  useEffect(() => {
    if (isFiltered && list.hasNextPage && !list.isFetching && list.error === null) void list.fetchNextPage();
  });
  const unreadable = unreadableIn(list.data?.pages);
  const isEmpty = workspaces?.length === 0 && unreadable.length === 0 && !list.hasNextPage;
  const plans = workspaces?.map(({ plan }) => plan);
  return (
    <>
      <PageHead
        title="Workspaces"
        meta={plans ? <span>{isEmpty ? 'None yet' : listSummary(plans, !list.hasNextPage)}</span> : null}
        actions={
          <button type="button" class="btn primary" onClick={() => setClaiming(true)}>
            Claim a workspace
          </button>
        }
      />
      {isClaiming && <ClaimDialog onClose={() => setClaiming(false)} />}
      <div class="stack">
        {list.error !== null && !list.isFetchNextPageError && (
          <ReadProblem query={list} title="The workspaces could not be read" />
        )}
        {(workspaces !== undefined || list.error === null) && (
          <div>
            <Filter workspaces={workspaces ?? []} isWhole={workspaces !== undefined && !list.hasNextPage} />
            {isEmpty ? (
              <NoWorkspaces />
            ) : (
              <WorkspaceTable
                isWhole={!list.hasNextPage}
                workspaces={
                  workspaces && waitingFirst(workspaces.filter((each) => matchesFilter(each, filter)))
                }
              />
            )}
            <UnreadableEntries entries={unreadable} />
            <LoadMore query={list} />
          </div>
        )}
      </div>
    </>
  );
}

function Filter({
  workspaces,
  isWhole,
}: {
  readonly workspaces: readonly Listed[];
  readonly isWhole: boolean;
}) {
  const [params, setParams] = useSearchParams();
  const write = (text: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (text === '') next.delete('q');
        else next.set('q', text);
        return next;
      },
      { replace: true },
    );
  return (
    <div class="toolbar">
      <div class="search">
        <Icon name="search" size={14} />
        <label class="vh" for="workspace-filter">
          Filter by name or id
        </label>
        <input
          class="input small"
          id="workspace-filter"
          placeholder="Name or id"
          {...EXACT_TEXT}
          value={params.get('q') ?? ''}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </div>
      <StateFilter workspaces={workspaces} isWhole={isWhole} />
    </div>
  );
}

interface WorkspaceTableProps {
  readonly workspaces: readonly Listed[] | undefined;
  /** False while further pages may have a workspace that matches. */
  readonly isWhole: boolean;
}

function WorkspaceTable({ workspaces, isWhole }: WorkspaceTableProps) {
  return (
    <Table label="Workspaces table" class="workspaces-list" columns={COLUMNS}>
      {workspaces === undefined ? (
        <RowsSkeleton rows={3} columns={COLUMNS.length} />
      ) : (
        <Rows>
          {workspaces.map((workspace) => (
            <WorkspaceRow key={workspace.workspaceId} workspace={workspace} />
          ))}
          {workspaces.length === 0 && isWhole && (
            <tr>
              <td colSpan={COLUMNS.length} class="muted">
                No workspaces match. Search by part of a name, or by the beginning of an id.
              </td>
            </tr>
          )}
        </Rows>
      )}
    </Table>
  );
}

function WorkspaceRow({ workspace }: { readonly workspace: Listed }) {
  const { workspaceId, name, expiresAt, products, lastActivityAt, next } = workspace;
  const { word, tone, about } = WORKSPACE_STATES[workspace.state];
  const address = `/agent-workspaces/${workspaceId}`;
  return (
    <tr>
      <th scope="row" class="clip name" title={visibleText(name)}>
        <PageLink to={address}>{visibleText(name)}</PageLink>
      </th>
      <td>
        <State tone={tone} title={about}>
          {word}
        </State>
      </td>
      <td class="num">
        {expiresAt === null ? <span class="muted">no end</span> : <Countdown until={expiresAt} isUnderEnds />}
      </td>
      <td class="muted">{optIns(products)}</td>
      <td class="muted">{lastActivityAt === null ? 'none yet' : <RelativeTime at={lastActivityAt} />}</td>
      <td>
        {next === null ? (
          <span class="muted">No action needed</span>
        ) : (
          <PageLink to={address + actionPath(next)}>{actionWords(next).short}</PageLink>
        )}
      </td>
    </tr>
  );
}
