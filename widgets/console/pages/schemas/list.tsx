import { useQuery } from '@tanstack/preact-query';
import { importSchemasQuery } from '../../api/import-schemas.ts';
import { SCHEMA_COMMAND } from '../../parts/commands.ts';
import { Empty, Way } from '../../parts/empty.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { count } from '../../parts/numbers.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { ReadProblem } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { RowsSkeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace-part.tsx';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/schemas`: the import schemas of a workspace. */
export function SchemasPage({ params: { workspaceId = '' } }: Params) {
  const list = useQuery(importSchemasQuery(workspaceId));
  const schemas = list.data?.schemas;
  return (
    <WorkspacePart workspaceId={workspaceId} title="Schemas">
      <ReadProblem query={list} title="The schemas could not be read" />
      {schemas?.length === 0 ? (
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
