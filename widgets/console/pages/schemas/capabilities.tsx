import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { answer, api } from '../../api/client.ts';
import { useHost } from '../../api/hosts.ts';
import type { Schemas } from '../../api/interface.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { forgetShown, showOnce } from '../../parts/form/shown-once.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { pullCommand } from '../../parts/frame/commands.ts';
import { GUIDES } from '../../parts/frame/guides.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Countdown, RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { CreateCapability } from './create-capability.tsx';

type Detail = Schemas['ImportSchemaDetail'];
type Capability = Schemas['ImportCapabilitySummary'];
type Created = Schemas['ImportCapability'];

const PATH = '/v1/console/workspaces/{workspaceId}/schemas/{schemaId}/capabilities';

/** The capabilities of a schema, newest first. */
export function capabilitiesQuery(workspaceId: string, schemaId: string) {
  return infiniteQueryOptions({
    queryKey: ['workspace', workspaceId, 'schemas', schemaId, 'capabilities'],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET(PATH, {
          params: { path: { workspaceId, schemaId }, query: pageParam === null ? {} : { cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The act of this section in the address. */
const CREATE = 'create-capability';

interface CapabilitiesProps {
  readonly workspaceId: string;
  readonly detail: Detail;
}

/** The secrets with which the customer's backend pulls imports and mints browser sessions. */
export function CapabilitiesSection({ workspaceId, detail }: CapabilitiesProps) {
  const { schemaId } = detail;
  const queries = useQueryClient();
  const list = useInfiniteQuery(capabilitiesQuery(workspaceId, schemaId));
  const [act, ask] = useAsked('do');
  const [waiting] = useAsked('import');
  const [revokingId, askRevoke] = useAsked('revoke');
  const capabilities = list.data?.pages.flatMap((page) => page.capabilities) ?? [];
  const unreadable = unreadableIn(list.data?.pages);
  const revoking = capabilities.find(({ capabilityId }) => capabilityId === revokingId);
  // An approved import waits for the first one, and the lists say so.
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
    await queries.invalidateQueries({ queryKey: ['workspaces'] });
  };
  return (
    <section aria-labelledby="capabilities">
      <div class="section-head">
        <h2 id="capabilities">Capabilities</h2>
        <p>Your backend pulls imports of this schema with a capability</p>
        <div class="actions">
          <button type="button" class="btn primary" onClick={() => ask(CREATE)}>
            Create capability
          </button>
        </div>
      </div>
      {list.error !== null && <ProblemPanel error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && capabilities.length + unreadable.length === 0 ? (
        <p class="hint">None yet. Without one, no backend can pull an approved import.</p>
      ) : (
        (list.data === undefined || capabilities.length > 0) && (
          <CapabilityTable capabilities={capabilities} onRevoke={askRevoke} />
        )
      )}
      <UnreadableEntries workspaceId={workspaceId} schemaId={schemaId} entries={unreadable} />
      <LoadMore query={list} />
      {act === CREATE && (
        <CreateCapability
          workspaceId={workspaceId}
          detail={detail}
          onClose={() => ask(null)}
          onCreated={(made) => {
            ask(null);
            showCapability(
              made,
              `/agent-workspaces/${workspaceId}/schemas/${schemaId}?revoke=${made.capabilityId}`,
              <Pull workspaceId={workspaceId} schemaId={schemaId} importId={waiting} />,
            );
            void refresh();
          }}
        />
      )}
      {revoking !== undefined && !isOver(revoking) && (
        <RevokeDialog
          workspaceId={workspaceId}
          schemaId={schemaId}
          capability={revoking}
          onClose={() => askRevoke(null)}
          onRevoked={() => {
            askRevoke(null);
            toast('Capability revoked');
            forgetShown(revoking.capabilityId);
            void refresh();
          }}
        />
      )}
    </section>
  );
}

function showCapability(
  { capabilityId, capability, name, last4 }: Created,
  revokeAt: string,
  next: ComponentChildren,
): void {
  showOnce({
    id: capabilityId,
    title: `Capability “${visibleText(name)}” created`,
    hint:
      capability === null
        ? 'Revoke it, and create another.'
        : `Only its last four characters, ${last4}, are kept here.`,
    value: capability,
    name: 'capability',
    stored: 'I have stored it where my backend reads it',
    revokeAt,
    ...(capability !== null && { next }),
  });
}

interface PullProps {
  readonly workspaceId: string;
  readonly schemaId: string;
  /** The import that waited for the capability, if one led here. */
  readonly importId: string | null;
}

/** The first request of the backend, and the way back to the import. */
function Pull({ workspaceId, schemaId, importId }: PullProps) {
  const base = useHost('base');
  return (
    <>
      <Command command={pullCommand(base, workspaceId, schemaId)} />
      <p class="hint">
        It lists the approved imports that your backend has not pulled yet.{' '}
        {/* This page keeps the secret. */}
        <a href={GUIDES['CSV imports']} target="_blank" rel="noopener">
          Read the guide to CSV imports
        </a>
      </p>
      {importId !== null && (
        <p>
          <PageLink to={`/agent-workspaces/${workspaceId}/imports/${importId}`}>Back to the import</PageLink>
        </p>
      )}
    </>
  );
}

interface TableProps {
  readonly capabilities: readonly Capability[];
  readonly onRevoke: (capabilityId: string) => void;
}

function CapabilityTable({ capabilities, onRevoke }: TableProps) {
  return (
    <Table
      label="Capabilities table"
      class="capabilities-list"
      columns={['Name', 'Secret', 'Origin', 'Sessions approve', 'State', 'Last use', { hidden: 'Actions' }]}
    >
      <tbody>
        {capabilities.map((capability) => (
          <CapabilityRow key={capability.capabilityId} capability={capability} onRevoke={onRevoke} />
        ))}
      </tbody>
    </Table>
  );
}

interface RowProps {
  readonly capability: Capability;
  readonly onRevoke: (capabilityId: string) => void;
}

function isOver({ expiresAt, revokedAt }: Capability): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= serverNow();
}

function CapabilityRow({ capability, onRevoke }: RowProps) {
  const { capabilityId, name, last4, origin, delegateApproval, expiresAt, revokedAt, lastUsedAt } =
    capability;
  const hasEnded = isOver(capability);
  return (
    <tr class={hasEnded ? 'ended' : undefined} id={capabilityId}>
      <th scope="row" class="clip" title={visibleText(name)}>
        {visibleText(name)}
      </th>
      <td>
        <code>…{visibleText(last4)}</code>
      </td>
      <td class="clip">{visibleText(origin)}</td>
      <td>{delegateApproval ? 'yes' : 'no'}</td>
      <td>
        {revokedAt !== null ? (
          <State tone="idle">Revoked</State>
        ) : hasEnded ? (
          <State tone="idle">Expired</State>
        ) : (
          <State tone="ok">
            Active
            <span class="muted">
              <Countdown until={expiresAt} />
            </span>
          </State>
        )}
      </td>
      <td>{lastUsedAt === null ? <span class="muted">never</span> : <RelativeTime at={lastUsedAt} />}</td>
      <td class="end">
        {!hasEnded && (
          <button
            type="button"
            class="btn quiet small"
            aria-label={`Revoke ${visibleText(name)}, …${last4}`}
            onClick={() => onRevoke(capabilityId)}
          >
            Revoke
          </button>
        )}
      </td>
    </tr>
  );
}

interface RevokeProps {
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly capability: Capability;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeDialog({ workspaceId, schemaId, capability, onClose, onRevoked }: RevokeProps) {
  const { capabilityId, name, last4 } = capability;
  const revoke = useChange({
    send: () =>
      answer(
        api.DELETE(`${PATH}/{capabilityId}`, { params: { path: { workspaceId, schemaId, capabilityId } } }),
      ),
    afterLoss: 'gone',
    onSuccess: onRevoked,
  });
  return (
    <ConfirmDialog
      title={`Revoke “${visibleText(name)}”`}
      hint={`The secret that ends in ${last4} stops at once, with the browser sessions that it minted. This cannot be undone.`}
      onClose={onClose}
      verb="Revoke capability"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
    />
  );
}
