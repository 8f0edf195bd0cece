import '../../style/imports.css';
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { hasStatus } from '../../api/client.ts';
import { importSchemaQuery } from '../../api/import-schemas.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { FieldName, fieldNotes } from '../../parts/form/field-name.tsx';
import { typeRules } from '../../parts/form/field-rules.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Identifier, shortened } from '../../parts/table/identifier.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { Table } from '../../parts/table/table.tsx';
import { AbsoluteTime, Countdown } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { pinnedTag, WidgetSection } from '../../parts/workspace/widget-tag.tsx';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { CapabilitiesSection, capabilitiesQuery } from './capabilities.tsx';
import { RevisionsSection } from './revisions.tsx';

type Params = { readonly params: Record<string, string> };
type Detail = Schemas['ImportSchemaDetail'];

/** `/agent-workspaces/{id}/schemas/{schemaId}`: capabilities, fields, origins, sessions and revisions of one schema. */
export function SchemaPage({ params: { workspaceId = '', schemaId = '' } }: Params) {
  const found = useQuery(importSchemaQuery(workspaceId, schemaId));
  const { role } = useMembership();
  const capabilities = useInfiniteQuery({
    ...capabilitiesQuery(workspaceId, schemaId),
    enabled: mayDecide(role),
  });
  if (found.data === undefined && found.error !== null) {
    return <NoSchema workspaceId={workspaceId} error={found.error} onRetry={() => void found.refetch()} />;
  }
  const root = `/agent-workspaces/${workspaceId}`;
  // The other sections would move if they were there before the capabilities.
  const detail = mayDecide(role) && capabilities.isPending ? undefined : found.data;
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      list={{ label: 'Schemas', to: `${root}/schemas` }}
      title={detail?.configuration.name ?? null}
      here={shortened(schemaId)}
      lines={2}
      meta={detail ? <Meta detail={detail} imports={`${root}/imports?schema=${schemaId}`} /> : null}
    >
      {detail && <Sections workspaceId={workspaceId} detail={detail} />}
    </WorkspacePart>
  );
}

function Sections({ workspaceId, detail }: { readonly workspaceId: string; readonly detail: Detail }) {
  const { role } = useMembership();
  return (
    <>
      {mayDecide(role) ? (
        <CapabilitiesSection workspaceId={workspaceId} detail={detail} />
      ) : (
        <p class="hint">Capabilities and sessions are for owners and admins. You are a member.</p>
      )}
      <FieldsSection detail={detail} />
      <OriginsSection origins={detail.configuration.allowedOrigins} />
      {detail.sessions !== null && <SessionsSection sessions={detail.sessions} />}
      <WidgetSection
        product="svcimport"
        about="Pages of the origins import with this script: SvcImport.mount(…), with a session that your backend mints"
        tags={(release) => [
          {
            title: 'Pinned tag, with digest',
            tag: pinnedTag(release, 'defer'),
            hint: 'A released file never changes: your page keeps the release you tested.',
          },
        ]}
      />
      {/* The last one, since only its answer says how high it is. */}
      <RevisionsSection workspaceId={workspaceId} schemaId={detail.schemaId} />
    </>
  );
}

function Meta({ detail, imports }: { readonly detail: Detail; readonly imports: string }) {
  return (
    <>
      <Identifier value={detail.schemaId} name="schema id" />
      <span>
        Revision {detail.revision} of <AbsoluteTime at={detail.revisedAt} />
      </span>
      <span>
        Created <AbsoluteTime at={detail.createdAt} />
      </span>
      <span>
        <PageLink to={imports}>Imports of this schema</PageLink>
      </span>
    </>
  );
}

interface NoSchemaProps {
  readonly workspaceId: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

function NoSchema({ workspaceId, error, onRetry }: NoSchemaProps) {
  const schemas = `/agent-workspaces/${workspaceId}/schemas`;
  const isMissing = hasStatus(error, 404);
  return (
    <>
      <PageHead
        title={isMissing ? 'There is no such schema' : 'Schema'}
        crumbs={[{ label: 'Schemas', to: schemas }]}
      />
      {isMissing ? (
        <p class="lede">
          The address is wrong, or the schema belongs to another workspace.{' '}
          <PageLink to={schemas}>Go to the schemas</PageLink>
        </p>
      ) : (
        <ProblemPanel error={error} title="The schema could not be read" onRetry={onRetry} />
      )}
    </>
  );
}

function FieldsSection({ detail }: { readonly detail: Detail }) {
  const { fields } = detail.configuration.schema;
  return (
    <section aria-labelledby="fields">
      <div class="section-head">
        <h2 id="fields">Fields</h2>
        <p>{`${counted(fields.length, 'field')}, ${count(fields.filter(({ required }) => required).length)} required`}</p>
      </div>
      <Table label="Fields table" class="dense blocks" columns={['Field', 'Type', 'Required', 'Rules']}>
        <tbody>
          {fields.map((field) => (
            <tr key={field.key}>
              <th scope="row">
                <FieldName field={field} />
                {fieldNotes(field).map((note) => (
                  <span class="sub notes" key={note}>
                    {note}
                  </span>
                ))}
              </th>
              <td class="below">{field.type}</td>
              <td class="then">{field.required ? 'required' : <span class="muted">optional</span>}</td>
              <td class="then muted">{typeRules(field).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function OriginsSection({ origins }: { readonly origins: readonly string[] }) {
  return (
    <section aria-labelledby="origins">
      <div class="section-head">
        <h2 id="origins">Origins</h2>
        <p>Pages that may import with this schema</p>
      </div>
      <ul class="panel listed">
        {origins.map((origin) => (
          <li key={origin}>
            <code>{visibleText(origin)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionsSection({ sessions }: { readonly sessions: NonNullable<Detail['sessions']> }) {
  return (
    <section aria-labelledby="sessions">
      <div class="section-head">
        <h2 id="sessions">Browser sessions</h2>
        <p>{sessions.length === 0 ? 'None open' : `${count(sessions.length)} open`}</p>
      </div>
      {sessions.length === 0 && (
        <p class="hint">
          Your backend mints one for each page that imports. Open sessions are listed here until they end.
        </p>
      )}
      {sessions.length > 0 && (
        <Table
          label="Sessions table"
          class="dense"
          columns={['Origin', 'Capability', ['Revision', 'n'], 'May approve', ['Imports', 'n'], 'Ends']}
        >
          <tbody>
            {sessions.map((session) => (
              <tr key={`${session.capabilityId}/${session.expiresAt}/${session.imports}`}>
                <td>{visibleText(session.origin)}</td>
                <td>
                  <Identifier value={session.capabilityId} name="capability id" />
                </td>
                <td class="n">{count(session.schemaRevision)}</td>
                <td>{session.delegateApproval ? 'yes' : 'no'}</td>
                <td class="n">{count(session.imports)}</td>
                <td>
                  <Countdown until={session.expiresAt} isUnderEnds />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
