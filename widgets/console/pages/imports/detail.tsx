import '../../style/imports.css';
import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { hasStatus } from '../../api/client.ts';
import { importSchemasQuery, schemaRevisionQuery } from '../../api/import-schemas.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { useNarrow } from '../../parts/loading/signal.ts';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { isGone } from '../../parts/loading/unreadable.tsx';
import { Identifier, shortened } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Badge } from '../../parts/table/state.tsx';
import { AbsoluteTime, Countdown } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { Approval } from './approval.tsx';
import { Batches } from './batches.tsx';
import { ErrorsPanel, WhatYouApprove } from './counts.tsx';
import { ImportDanger } from './danger.tsx';
import { IMPORT_STATES, WITH_ROWS } from './import-state.ts';
import { MappingSection } from './mapping/mapping-section.tsx';
import { type ImportDetail, type ImportField, importQuery, type Place, provenanceQuery } from './queries.ts';
import { RowsSection } from './rows/rows-section.tsx';
import { type ShownRows, useShownRows } from './rows/use-row-pages.ts';
import { UploadLink } from './upload/upload-link.tsx';
import { ProgressLine } from './validation/progress-line.tsx';
import { ValidationPanel } from './validation/validation.tsx';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/imports/{importId}`: one import, from its upload to its delivery. */
export function ImportPage({ params: { workspaceId = '', importId = '' } }: Params) {
  const place = { workspaceId, importId };
  const found = useQuery(importQuery(place));
  const { data: detail } = found;
  const { name, configuration, isSuperseded, isComing } = useSchemaOf(place, detail);
  if (found.error !== null && (detail === undefined || isGone(found.error))) {
    return <NoImport place={place} error={found.error} onRetry={() => void found.refetch()} />;
  }
  // The name, the rows and the mapping come with the schema, and appear together.
  const shown = isComing ? undefined : detail;
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      list={{ label: 'Imports', to: `/agent-workspaces/${workspaceId}/imports` }}
      title={shown === undefined ? null : (shown.fileName ?? name ?? 'Import')}
      here={shown?.fileName ?? shortened(importId)}
      state={shown && <ImportBadge detail={shown} />}
      lines={3}
      meta={shown === undefined ? null : <ImportMeta place={place} detail={shown} name={name} />}
      skips={
        detail?.status === 'ready' && (
          <a class="skip" href="#approve">
            Skip to approval
          </a>
        )
      }
    >
      {detail && (
        <ShownImport
          place={place}
          detail={detail}
          problem={
            <ProblemPanel
              error={found.error}
              title="The import could not be refreshed"
              onRetry={() => void found.refetch()}
            />
          }
          configuration={configuration}
          isSuperseded={isSuperseded}
          isComing={isComing}
        />
      )}
    </WorkspacePart>
  );
}

/** The schema in the revision that an import was made for. */
function useSchemaOf({ workspaceId }: Place, detail: ImportDetail | undefined) {
  const { schemaId = '', schemaRevision = 0 } = detail ?? {};
  const schemas = useQuery(importSchemasQuery(workspaceId));
  const revision = useQuery({
    ...schemaRevisionQuery(workspaceId, schemaId, schemaRevision),
    enabled: detail !== undefined,
  });
  const schema = schemas.data?.schemas.find((each) => each.schemaId === schemaId);
  const configuration = revision.data?.configuration;
  return {
    name: configuration?.name ?? schema?.name,
    configuration,
    isSuperseded: schema !== undefined && schema.revision > schemaRevision,
    isComing: revision.isPending,
  };
}

interface NoImportProps {
  readonly place: Place;
  readonly error: Error;
  readonly onRetry: () => void;
}

function NoImport({ place: { workspaceId, importId }, error, onRetry }: NoImportProps) {
  const isErased = hasStatus(error, 410);
  const isMissing = hasStatus(error, 404);
  const imports = `/agent-workspaces/${workspaceId}/imports`;
  return (
    <>
      <PageHead
        title={isErased ? 'This import was erased' : isMissing ? 'There is no such import' : 'Import'}
        here={shortened(importId)}
        crumbs={[
          { label: 'Workspaces', to: '/agent-workspaces' },
          { label: 'Imports', to: imports },
        ]}
      />
      {isErased || isMissing ? (
        <p class="lede">
          {isErased
            ? 'The file, the rows, the errors and the counts are deleted. The audit log keeps the id. '
            : 'The address is wrong, or the import belongs to another workspace. '}
          <PageLink to={imports}>Go to the imports</PageLink>
        </p>
      ) : (
        <ProblemPanel error={error} title="The import could not be read" onRetry={onRetry} />
      )}
    </>
  );
}

interface ShownImportProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  readonly problem: ComponentChildren;
  /** Absent while it is read, and where it could not be read. */
  readonly configuration: Schemas['ImportSchemaRevision']['configuration'] | undefined;
  readonly isSuperseded: boolean;
  /** True while the configuration is read. The first rows are read meanwhile. */
  readonly isComing: boolean;
}

function ShownImport(props: ShownImportProps) {
  const { place, detail, problem, configuration, isSuperseded, isComing } = props;
  const times = useQuery(
    provenanceQuery(place, `${detail.status}/${detail.validations.used}/${detail.mappingRevision}`),
  );
  const kept = useKept(times.data);
  const rows = useShownRows(place, detail);
  if (isComing) return <PanelSkeleton />;
  return (
    <>
      {problem}
      <ProgressLine facts={detail} times={kept} />
      <ImportBody
        place={place}
        detail={detail}
        rows={rows}
        fields={configuration?.schema.fields ?? []}
        origins={configuration?.allowedOrigins ?? []}
        sourceSha256={kept?.sourceSha256 ?? null}
        isSuperseded={isSuperseded}
      />
      <ImportDanger place={place} detail={detail} />
    </>
  );
}

/** The last value that was there: what is on screen stays while it is refreshed. */
function useKept<Value>(value: Value | undefined): Value | null {
  const [kept, setKept] = useState<Value | null>(value ?? null);
  useEffect(() => {
    if (value !== undefined) setKept(() => value);
  }, [value]);
  return value ?? kept;
}

function ImportBadge({ detail }: { readonly detail: ImportDetail }) {
  const { word, tone, about } = IMPORT_STATES[detail.status];
  return (
    <Badge tone={tone} title={about}>
      {word}
    </Badge>
  );
}

function hasEnded({ status }: ImportDetail): boolean {
  return ['failed', 'cancelled', 'expired'].includes(status);
}

interface MetaProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  /** The name of the schema, if it could be read. */
  readonly name: string | undefined;
}

function ImportMeta({ place: { workspaceId, importId }, detail, name }: MetaProps) {
  const by = { agent: 'agent', session: 'a browser session', user: 'a person' }[detail.createdBy.kind];
  return (
    <>
      <Identifier value={importId} name="import id" />
      <span>
        <PageLink to={`/agent-workspaces/${workspaceId}/schemas/${detail.schemaId}`}>
          {name === undefined ? 'Schema' : visibleText(name)}, revision {detail.schemaRevision}
        </PageLink>
      </span>
      <span>{`${count(detail.byteLength)} bytes`}</span>
      {detail.uploadedAt !== null && (
        <span>
          Uploaded by {by} <AbsoluteTime at={detail.uploadedAt} />
        </span>
      )}
      {!hasEnded(detail) && (
        <span>
          Private data <Countdown until={detail.expiresAt} />
        </span>
      )}
    </>
  );
}

interface ImportBodyProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  /** Null for an import or a person without rows. */
  readonly rows: ShownRows | null;
  readonly fields: readonly ImportField[];
  readonly origins: readonly string[];
  readonly sourceSha256: string | null;
  readonly isSuperseded: boolean;
}

function ImportBody(props: ImportBodyProps) {
  const { place, detail, rows, fields, isSuperseded } = props;
  const { role } = useMembership();
  const hasRows = WITH_ROWS.includes(detail.status);
  const isLater = useNarrow() && detail.status === 'needs_correction';
  const approval = <Approval place={place} detail={detail} isSuperseded={isSuperseded} />;
  if (['cancelled', 'expired'].includes(detail.status)) return <Ended place={place} detail={detail} />;
  return (
    <>
      <div class="pair">
        <LeftPanel {...props} hasRows={hasRows} />
        {!isLater && approval}
      </div>
      {rows !== null && fields.length > 0 && <RowsSection rows={rows} detail={detail} fields={fields} />}
      {!mayDecide(role) && (
        <p class="hint">
          Rows, columns and the mapping are private. Owners and admins see them; you are a member.
        </p>
      )}
      {detail.batches.length > 0 && detail.validationDigest !== null && <Batches detail={detail} />}
      {fields.length > 0 && <MappingSection place={place} detail={detail} fields={fields} />}
      {isLater && approval}
    </>
  );
}

function LeftPanel({
  place,
  detail,
  origins,
  sourceSha256,
  hasRows,
}: ImportBodyProps & { hasRows: boolean }) {
  const [search] = useSearchParams();
  if (!hasRows) return <ValidationPanel place={place} detail={detail} />;
  if (detail.status !== 'needs_correction') {
    return <WhatYouApprove detail={detail} sourceSha256={sourceSha256} origins={origins} />;
  }
  return <ErrorsPanel place={place} detail={detail} field={search.get('field')} code={search.get('code')} />;
}

function Ended({ place, detail }: Pick<ShownImportProps, 'place' | 'detail'>) {
  return (
    <p class="lede">
      {detail.status === 'cancelled'
        ? 'This import was cancelled: its file, rows and errors are deleted.'
        : 'This import’s file, rows and errors have been deleted.'}{' '}
      <UploadLink workspaceId={place.workspaceId} schemaId={detail.schemaId}>
        Upload the file again
      </UploadLink>{' '}
      to import it.
    </p>
  );
}
