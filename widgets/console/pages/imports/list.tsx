import '../../style/imports.css';
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { importSchemasQuery } from '../../api/import-schemas.ts';
import type { Schemas } from '../../api/interface.ts';
import { Empty } from '../../parts/empty.tsx';
import { shortened } from '../../parts/identifier.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { SelectField } from '../../parts/select.tsx';
import { RowsSkeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { Countdown, RelativeTime } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { useWorkspaceCrumb } from '../../parts/workspace-crumb.ts';
import { WorkspaceTabs } from '../../parts/workspace-tabs.tsx';
import { IMPORT_STATES, LISTED_STATES } from './import-state.ts';
import { type ImportStatus, importsQuery } from './queries.ts';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/imports`: every import with its live state; schema and state narrow it, in the address. */
export function ImportsPage({ params: { workspaceId = '' } }: Params) {
  const workspace = useWorkspaceCrumb(workspaceId);
  const schemas = useQuery(importSchemasQuery(workspaceId));
  const [search] = useSearchParams();
  const schemaId = search.get('schema');
  const status = LISTED_STATES.find((state) => state === search.get('state')) ?? null;
  const list = useInfiniteQuery(importsQuery(workspaceId, { schemaId, status }));
  const imports = list.data?.pages.flatMap((page) => page.imports);
  const isNarrowed = schemaId !== null || status !== null;
  return (
    <>
      <PageHead title="Imports" crumbs={[{ label: 'Workspaces', to: '/agent-workspaces' }, workspace]} />
      <WorkspaceTabs workspaceId={workspaceId} />
      <div class="stack">
        {imports?.length === 0 && !isNarrowed ? (
          <NoImports />
        ) : (
          <section aria-label="Imports">
            <Filters schemas={schemas.data?.schemas ?? []} />
            {list.error !== null && imports === undefined ? (
              <ProblemPanel
                error={list.error}
                title="The imports could not be read"
                onRetry={() => void list.refetch()}
              />
            ) : (
              <ImportsTable
                workspaceId={workspaceId}
                // A row names its schema, so rows that came before the names would change the widths of columns.
                imports={schemas.isPending ? undefined : imports}
                schemas={schemas.data?.schemas ?? []}
              />
            )}
            {imports?.length === 0 && <p class="hint under">No import has this schema and state.</p>}
            <LoadMore query={list} />
          </section>
        )}
      </div>
    </>
  );
}

function NoImports() {
  return (
    <Empty title="No import yet" waiting="Waiting for the first import">
      An agent reserves and uploads one with the workspace’s credential, or a page of yours does with a
      browser session. It is validated as a whole, you approve it, and your backend pulls it.
    </Empty>
  );
}

function Filters({ schemas }: { readonly schemas: readonly Schemas['ImportSchemaSummary'][] }) {
  const [search, setSearch] = useSearchParams();
  const choose = (name: string, value: string) =>
    setSearch(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  return (
    <div class="toolbar selects">
      <SelectField
        label="Schema"
        value={search.get('schema') ?? ''}
        options={[
          { value: '', label: 'Every schema' },
          ...schemas.map(({ schemaId, name }) => ({ value: schemaId, label: visibleText(name) })),
        ]}
        onChange={(value) => choose('schema', value)}
      />
      <SelectField
        label="State"
        value={search.get('state') ?? ''}
        options={[
          { value: '', label: 'Every state' },
          ...LISTED_STATES.map((state) => ({ value: state as string, label: IMPORT_STATES[state].word })),
        ]}
        onChange={(value) => choose('state', value)}
      />
    </div>
  );
}

interface ImportsTableProps {
  readonly workspaceId: string;
  readonly imports: readonly ImportStatus[] | undefined;
  readonly schemas: readonly Schemas['ImportSchemaSummary'][];
}

function ImportsTable({ workspaceId, imports, schemas }: ImportsTableProps) {
  return (
    <Scroller label="Imports table">
      <table>
        <thead>
          <tr>
            <th scope="col">Import</th>
            <th scope="col">Schema</th>
            <th scope="col">State</th>
            <th scope="col" class="n">
              Valid
            </th>
            <th scope="col" class="n">
              Invalid
            </th>
            <th scope="col" class="n">
              Batches
            </th>
            <th scope="col">Uploaded</th>
            <th scope="col">Private data</th>
          </tr>
        </thead>
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
      </table>
    </Scroller>
  );
}

interface ImportRowProps {
  readonly workspaceId: string;
  readonly status: ImportStatus;
  readonly schema: string;
}

function ImportRow({ workspaceId, status, schema }: ImportRowProps) {
  const { importId, rows, batchCount, acknowledgedBatches, uploadedAt, expiresAt } = status;
  const { word, tone, about } = IMPORT_STATES[status.status];
  const hasEnded = ['failed', 'cancelled', 'expired'].includes(status.status);
  return (
    <tr class={hasEnded ? 'ended' : undefined}>
      <th scope="row">
        <PageLink to={`/agent-workspaces/${workspaceId}/imports/${importId}`}>
          <code>{shortened(importId)}</code>
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

function ValidatedParts({ status: { progress } }: { readonly status: ImportStatus }) {
  if (progress.total === 0) return null;
  return <span class="muted">{`${count(progress.done)} of ${count(progress.total)} parts`}</span>;
}
