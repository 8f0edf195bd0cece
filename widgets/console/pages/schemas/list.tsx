import { useQuery } from '@tanstack/preact-query';
import { importSchemasQuery } from '../../api/import-schemas.ts';
import { SCHEMA_COMMAND } from '../../parts/frame/commands.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Empty, Way } from '../../parts/loading/empty.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/schemas`: the import schemas of a workspace. */
export function SchemasPage({ params: { workspaceId = '' } }: Params) {
  const list = useQuery(importSchemasQuery(workspaceId));
  const schemas = list.data?.schemas;
  return (
    <WorkspacePart workspaceId={workspaceId} title="Schemas">
      <ReadProblem query={list} title="The schemas could not be read" />
      <UnreadableEntries entries={list.data?.unreadable} />
      {schemas?.length === 0 && list.data?.unreadable === undefined ? (
        <NoSchema />
      ) : schemas === undefined && list.error !== null ? null : (
        <Table
          label="Schemas table"
          class="schemas-list"
          columns={['Schema', 'Id', ['Revision', 'n'], 'Origins']}
        >
          {schemas === undefined ? (
            <RowsSkeleton rows={2} columns={4} />
          ) : (
            <Rows>
              {schemas.map(({ schemaId, name: schemaName, revision, allowedOrigins }) => (
                <tr key={schemaId}>
                  <th scope="row" class="clip">
                    <PageLink to={`/agent-workspaces/${workspaceId}/schemas/${schemaId}`}>
                      {visibleText(schemaName)}
                    </PageLink>
                  </th>
                  <td>
                    <Identifier value={schemaId} name="schema id" />
                  </td>
                  <td class="n">{count(revision)}</td>
                  <td class="wrap">{allowedOrigins.map(visibleText).join(', ')}</td>
                </tr>
              ))}
            </Rows>
          )}
        </Table>
      )}
    </WorkspacePart>
  );
}

function NoSchema() {
  return (
    <Empty
      title="No schema yet"
      guide="CSV imports"
      ways={
        <Way
          title="With the command line, in the folder of the project"
          command={SCHEMA_COMMAND}
          hint="The file names the fields with their types, and the origins whose pages may import."
        />
      }
    >
      An agent configures a schema; files are then validated against it.
    </Empty>
  );
}
