import '../../../style/imports.css';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { capabilitiesQuery, usePlanLimit } from '../../../api/capabilities.ts';
import { importSchemaQuery, importSchemasQuery } from '../../../api/import-schemas.ts';
import type { Schemas } from '../../../api/interface.ts';
import { mayDecide, useMembership } from '../../../api/session.ts';
import { workspaceQuery } from '../../../api/workspace.ts';
import { useDraft } from '../../../parts/form/draft.ts';
import { SelectField } from '../../../parts/form/select.tsx';
import { canDigest } from '../../../parts/form/web-crypto.ts';
import { PageLink } from '../../../parts/frame/page-link.tsx';
import { Empty } from '../../../parts/loading/empty.tsx';
import { ReadProblem } from '../../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../../parts/loading/skeleton.tsx';
import { Shape } from '../../../parts/table/state.tsx';
import { visibleText } from '../../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../../parts/workspace/workspace-part.tsx';
import { type OwnerImport, OwnerImportSteps } from './owner-import.ts';
import { StoppedUploads } from './stopped-uploads.ts';

type Params = { readonly params: Record<string, string> };

/** `/agent-workspaces/{id}/imports/upload`: a person brings a file, corrects it, and maps its columns. The schema is in the address. */
export function UploadPage({ params: { workspaceId = '' } }: Params) {
  const { role } = useMembership();
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      list={{ label: 'Imports', to: `/agent-workspaces/${workspaceId}/imports` }}
      title="Upload a file"
    >
      {mayDecide(role) ? (
        <Upload workspaceId={workspaceId} />
      ) : (
        <p class="hint">Files are private. Owners and admins upload them; you are a member.</p>
      )}
    </WorkspacePart>
  );
}

function Upload({ workspaceId }: { readonly workspaceId: string }) {
  const schemas = useQuery(importSchemasQuery(workspaceId));
  const workspace = useQuery(workspaceQuery(workspaceId));
  const [search, setSearch] = useSearchParams();
  const failed = [schemas, workspace].find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) return <ReadProblem query={failed} title="The schemas could not be read" />;
  if (schemas.data === undefined || workspace.data === undefined) return <PanelSkeleton />;
  const known = schemas.data.schemas;
  const wanted = search.get('schema');
  const schema = known.find(({ schemaId }) => schemaId === wanted) ?? known[0];
  if (schema === undefined) return <NoSchema />;
  const stop = STOPS[workspace.data.state] ?? (canDigest() ? undefined : WITHOUT_DIGESTS);
  if (stop !== undefined) return <p class="hint">{stop}</p>;
  return (
    <>
      {known.length > 1 && (
        <div class="toolbar selects">
          <SelectField
            label="Schema"
            value={schema.schemaId}
            options={known.map(({ schemaId, name }) => ({ value: schemaId, label: name }))}
            onChange={(schemaId) => setSearch({ schema: schemaId }, { replace: true })}
          />
        </div>
      )}
      <FileInto key={schema.schemaId} workspace={workspace.data} schemaId={schema.schemaId} />
    </>
  );
}

/** Why a workspace takes no file. */
const STOPS: Partial<Readonly<Record<Schemas['WorkspaceState'], string>>> = {
  paused: 'The workspace is paused. Resume it on its overview to upload a file.',
  expired: 'The preview has ended. Nothing can be imported into this workspace any more.',
  disconnected: 'The workspace is disconnected for good. Nothing can be imported into it any more.',
};

const WITHOUT_DIGESTS =
  'Browsers compute the digest of a file over HTTPS only, and this console is open over plain HTTP. Upload the file with the command-line tool, or open the console over HTTPS.';

function NoSchema() {
  return (
    <Empty title="No schema yet" guide="CSV imports">
      A file is imported into a schema, which says which fields its rows have. An agent configures one with
      the workspace’s credential.
    </Empty>
  );
}

interface FileIntoProps {
  readonly workspace: Schemas['Workspace'];
  readonly schemaId: string;
}

function FileInto({ workspace: { workspaceId, plan }, schemaId }: FileIntoProps) {
  const found = useQuery(importSchemaQuery(workspaceId, schemaId));
  const maxBytes = usePlanLimit('svcimport', plan, 'importFileBytes');
  const maxRows = usePlanLimit('svcimport', plan, 'importRows');
  const limits = useQuery(capabilitiesQuery);
  const queries = useQueryClient();
  const [search] = useSearchParams();
  const isAgain = new StoppedUploads(queries, workspaceId).has(search.get('import') ?? '');
  const [, navigate] = useLocation();
  const failed = [found, limits].find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) return <ReadProblem query={failed} title="The schema could not be read" />;
  if (found.data === undefined || maxBytes === null || maxRows === null) return <PanelSkeleton />;
  const { revision, configuration } = found.data;
  return (
    <>
      {isAgain && (
        <p class="notice">
          <Shape tone="info" />
          <span>
            Choose the same file as before, with the same corrections: it continues the import that waits for
            it, and counts once. Another file is another import.
          </span>
        </p>
      )}
      <p class="hint">
        The file is read in this page first: one that needs a change is sent once you agree. It counts as one
        import of the workspace.{' '}
        <PageLink to={`/agent-workspaces/${workspaceId}/schemas/${schemaId}`}>Fields of the schema</PageLink>
      </p>
      <Steps
        workspaceId={workspaceId}
        schemaId={schemaId}
        revision={revision}
        fields={configuration.schema.fields}
        maxBytes={maxBytes}
        maxRows={maxRows}
        title={`Import into ${visibleText(configuration.name)}`}
        onChecking={(importId) => {
          void queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
          navigate(`/agent-workspaces/${workspaceId}/imports/${importId}`);
        }}
      />
    </>
  );
}

const NONE: { readonly steps: OwnerImportSteps | null } = { steps: null };

/** The steps from the file to the check of its rows. */
function Steps(wanted: OwnerImport) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(wanted);
  latest.current = wanted;
  const queries = useQueryClient();
  const draft = useDraft('upload', NONE, { isPrivate: true });
  const kept = draft.values.steps;
  const canContinue = kept?.areFor(wanted) === true;
  useLayoutEffect(() => {
    if (canContinue) return;
    kept?.destroy();
    draft.set({ steps: new OwnerImportSteps(wanted, queries) });
  }, [canContinue]);
  useLayoutEffect(() => {
    if (host.current === null || kept === null || !canContinue) return;
    kept.show(host.current, (importId) => {
      draft.discard();
      latest.current.onChecking(importId);
    });
    return () => kept.hide();
  }, [kept, canContinue]);
  return <div ref={host} class="import-steps" />;
}
