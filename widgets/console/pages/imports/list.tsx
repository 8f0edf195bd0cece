import '../../style/imports.css';
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { importSchemasQuery } from '../../api/import-schemas.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Empty } from '../../parts/loading/empty.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton, RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { shortened } from '../../parts/table/identifier.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Countdown, RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { ImportFilters } from './import-filters.tsx';
import { IMPORT_STATES, LISTED_STATES, WAITING_STATES } from './import-state.ts';
import { importsQuery, type ListedImport } from './queries.ts';
import { UploadLink } from './upload/upload-link.tsx';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/imports`: every import with its live state; schema and state narrow it, in the address. */
export function ImportsPage({ params: { workspaceId = '' } }: Params) {
  const { role } = useMembership();
  const [search] = useSearchParams();
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      title="Imports"
      actions={
        mayDecide(role) && (
          <UploadLink workspaceId={workspaceId} schemaId={search.get('schema')} class="btn primary">
            Upload a file
          </UploadLink>
        )
      }
    >
      <Imports workspaceId={workspaceId} />
    </WorkspacePart>
  );
}

function Imports({ workspaceId }: { readonly workspaceId: string }) {
  const schemas = useQuery(importSchemasQuery(workspaceId));
  const listed = schemas.data?.schemas ?? [];
  const [search] = useSearchParams();
  const schemaId = search.get('schema');
  const status = LISTED_STATES.find((state) => state === search.get('state')) ?? null;
  const list = useInfiniteQuery(importsQuery(workspaceId, { schemaId, status }));
  // The same query while no state is chosen. The filters stay as they are while another schema is read.
  const whole = useInfiniteQuery({
    ...importsQuery(workspaceId, { schemaId, status: null }),
    placeholderData: (before, query) => (query?.queryKey[1] === workspaceId ? before : undefined),
  });
  const all = whole.hasNextPage ? undefined : importsOf(whole.data);
  const known = whole.isPlaceholderData ? undefined : all?.filter((each) => each.status === status);
  const imports = importsOf(list.data) ?? known;
  // Counts and names of schemas would move what stands beside them if they came later.
  if (schemas.isPending || whole.isPending) return <PanelSkeleton />;
  const unreadable = unreadableIn(list.data?.pages);
  const isEmpty = imports?.length === 0 && unreadable.length === 0 && schemaId === null && status === null;
  return (
    <section aria-label="Imports">
      <ImportFilters workspaceId={workspaceId} schemas={listed} all={all} />
      {isEmpty && <NoImports />}
      {list.error !== null && imports === undefined && (
        <ReadProblem query={list} title="The imports could not be read" />
      )}
      {!isEmpty && (imports !== undefined || list.error === null) && (
        <ImportsTable workspaceId={workspaceId} imports={imports && waitingFirst(imports)} schemas={listed} />
      )}
      {imports?.length === 0 && unreadable.length === 0 && !isEmpty && (
        <p class="hint under">No imports match.</p>
      )}
      <UnreadableEntries workspaceId={workspaceId} entries={unreadable} />
      <LoadMore query={list} />
    </section>
  );
}

function importsOf(data: InfiniteData<Schemas['WorkspaceImportList'], unknown> | undefined) {
  return data?.pages.flatMap((page) => page.imports);
}

/** Puts the imports that wait for a person before the others. */
function waitingFirst(imports: readonly ListedImport[]): ListedImport[] {
  const waits = ({ status }: ListedImport) => Number(WAITING_STATES.includes(status));
  return [...imports].sort((one, other) => waits(other) - waits(one));
}

function NoImports() {
  return (
    <Empty title="No import yet" guide="CSV imports" waiting="Waiting for the first import">
      An owner or admin uploads a file here, an agent with the workspace’s credential, or a page of yours with
      a browser session. It is validated as a whole, you approve it, and your backend pulls it.
    </Empty>
  );
}

interface ImportsTableProps {
  readonly workspaceId: string;
  readonly imports: readonly ListedImport[] | undefined;
  readonly schemas: readonly Schemas['ImportSchemaSummary'][];
}

function ImportsTable({ workspaceId, imports, schemas }: ImportsTableProps) {
  return (
    <Table
      label="Imports table"
      class="imports-list"
      columns={[
        'File',
        'Schema',
        'State',
        ['Valid', 'n'],
        ['Invalid', 'n'],
        ['Batches', 'n'],
        'Uploaded',
        'Private data',
      ]}
    >
      {imports === undefined ? (
        <RowsSkeleton rows={4} columns={8} />
      ) : (
        <Rows>
          {imports.map((each) => (
            <ImportRow
              key={each.importId}
              workspaceId={workspaceId}
              status={each}
              schema={schemas.find(({ schemaId }) => schemaId === each.schemaId)?.name ?? each.schemaId}
            />
          ))}
        </Rows>
      )}
    </Table>
  );
}

interface ImportRowProps {
  readonly workspaceId: string;
  readonly status: ListedImport;
  readonly schema: string;
}

function ImportRow({ workspaceId, status, schema }: ImportRowProps) {
  const { importId, fileName, rows, batchCount, acknowledgedBatches, uploadedAt, expiresAt } = status;
  const { word, tone, about } = IMPORT_STATES[status.status];
  const hasEnded = ['failed', 'cancelled', 'expired'].includes(status.status);
  return (
    <tr class={hasEnded ? 'ended' : undefined}>
      <th scope="row" class="clip" title={fileName === null ? importId : visibleText(fileName)}>
        <PageLink to={`/agent-workspaces/${workspaceId}/imports/${importId}`}>
          {fileName === null ? <code>{shortened(importId)}</code> : visibleText(fileName)}
        </PageLink>
      </th>
      <td class="clip" title={visibleText(schema)}>
        {visibleText(schema)}
      </td>
      <td>
        <State tone={tone} title={about}>
          {word}
          {status.status === 'validating' && <ValidatedParts status={status} />}
        </State>
        {nextOf(status) !== null && <span class="sub phone">{nextOf(status)}</span>}
      </td>
      <td class="n">{rows.total === 0 ? <span class="muted">none</span> : count(rows.valid)}</td>
      <td class="n">
        {rows.invalid > 0 ? (
          <span class="count-bad">{count(rows.invalid)}</span>
        ) : rows.total === 0 ? (
          <span class="muted">none</span>
        ) : (
          '0'
        )}
      </td>
      <td class="n">
        {batchCount === 0 ? (
          <span class="muted">none</span>
        ) : (
          `${count(acknowledgedBatches)} of ${count(batchCount)}`
        )}
      </td>
      <td>{uploadedAt === null ? <span class="muted">not yet</span> : <RelativeTime at={uploadedAt} />}</td>
      <td>{hasEnded ? <span class="muted">ended</span> : <Countdown until={expiresAt} />}</td>
    </tr>
  );
}

/** The next step, for a phone, which has no place for the numbers; null where the state says it. */
function nextOf({ status, rows, batchCount, acknowledgedBatches }: ListedImport): string | null {
  if (status === 'uploaded') return 'Map the columns';
  if (status === 'needs_correction') return `Correct ${counted(rows.invalid, 'row')} of ${count(rows.total)}`;
  if (status === 'ready') return `Approve ${counted(rows.valid, 'row')}`;
  if (status === 'approved')
    return `${count(acknowledgedBatches)} of ${counted(batchCount, 'batch', 'batches')} pulled`;
  if (status === 'delivered') return counted(rows.valid, 'row');
  return status === 'failed' || status === 'expired' ? 'Upload it again' : null;
}

function ValidatedParts({ status: { progress } }: { readonly status: ListedImport }) {
  if (progress.total === 0) return null;
  return <span class="muted">{`${count(progress.done)} of ${count(progress.total)} parts`}</span>;
}
