import { useQuery } from '@tanstack/preact-query';
import type { Schemas } from '../../api/interface.ts';
import { CHECKLIST_COMMAND } from '../../parts/frame/commands.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Empty, Way } from '../../parts/loading/empty.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { isGone, Unreadable } from '../../parts/loading/unreadable.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { checklistsQuery } from './queries.ts';

const WHAT = {
  title: 'Checklists',
  name: 'checklists',
  isList: true,
  erased: 'The checklists and their counts are deleted.',
};

type Params = { readonly params: Record<string, string> };
type Summary = Schemas['ChecklistSummary'];

/** The page looks for a first checklist this often. */
const WATCH_MS = 15_000;

/** `/agent-workspaces/{id}/checklists`: the onboarding checklists of a workspace. */
export function ChecklistsPage({ params: { workspaceId = '' } }: Params) {
  const list = useQuery({
    ...checklistsQuery(workspaceId),
    refetchInterval: ({ state }) => (state.data?.checklists.length === 0 ? WATCH_MS : false),
  });
  const checklists = list.data?.checklists;
  if (isGone(list.error)) {
    return <Unreadable workspaceId={workspaceId} what={WHAT} query={list} />;
  }
  return (
    <WorkspacePart workspaceId={workspaceId} title="Checklists">
      <ReadProblem query={list} title="The checklists could not be read" />
      <UnreadableEntries entries={list.data?.unreadable} />
      {checklists?.length === 0 && list.data?.unreadable === undefined ? (
        <NoChecklist />
      ) : checklists === undefined && list.error !== null ? null : (
        <ChecklistTable workspaceId={workspaceId} checklists={checklists} />
      )}
    </WorkspacePart>
  );
}

function NoChecklist() {
  return (
    <Empty
      title="No checklist yet"
      guide="checklists"
      waiting="Waiting for the first checklist. It appears here automatically."
      ways={
        <Way
          title="With the command line, in the folder of the project"
          command={CHECKLIST_COMMAND}
          hint="A checklist has one to five steps. Each step has a key, which your backend reports."
        />
      }
    >
      An agent configures a checklist; your backend reports what its users reach.
    </Empty>
  );
}

interface TableProps {
  readonly workspaceId: string;
  /** Absent while they are read. */
  readonly checklists: readonly Summary[] | undefined;
}

function ChecklistTable({ workspaceId, checklists }: TableProps) {
  return (
    <Table
      label="Checklists table"
      class="checklists-list"
      columns={['Checklist', 'Id', ['Revision', 'n'], 'Origins', ['Revised', 'end']]}
    >
      {checklists === undefined ? (
        <RowsSkeleton rows={2} columns={5} />
      ) : (
        <Rows>
          {checklists.map(({ checklistId, name, revision, allowedOrigins, updatedAt }) => (
            <tr key={checklistId}>
              <th scope="row" class="clip">
                <PageLink to={`/agent-workspaces/${workspaceId}/checklists/${checklistId}`}>
                  {visibleText(name)}
                </PageLink>
              </th>
              <td>
                <Identifier value={checklistId} name="checklist id" />
              </td>
              <td class="n">{count(revision)}</td>
              <td class="wrap">
                {allowedOrigins.length === 0 ? (
                  <span class="muted">none</span>
                ) : (
                  allowedOrigins.map(visibleText).join(', ')
                )}
              </td>
              <td class="end muted">
                <RelativeTime at={updatedAt} />
              </td>
            </tr>
          ))}
        </Rows>
      )}
    </Table>
  );
}
