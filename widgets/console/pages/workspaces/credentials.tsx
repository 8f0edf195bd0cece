import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { forgetShown } from '../../parts/form/shown-once.tsx';
import { useArrival, useAsked } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Countdown, RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { CreateCredentialDialog, RotateDialog } from './credential-dialogs.tsx';

type Credential = Schemas['Credential'];

/** The credential of the creation, and five named ones. */
const CREDENTIALS_MAX = 6;

interface CredentialsProps {
  readonly workspace: Schemas['Workspace'];
  readonly isCreating: boolean;
  readonly onCreating: (isCreating: boolean) => void;
  /** Why nothing can be changed here; null if it can. */
  readonly reason: string | null;
}

/** The credentials that have access: create, rotate and revoke them. */
export function CredentialsSection({ workspace, isCreating, onCreating, reason }: CredentialsProps) {
  const { workspaceId, credentials, unreadable = [] } = workspace;
  const others = unreadable.filter(({ id }) => id.startsWith('crd_')).length;
  const isOver = workspace.state === 'expired' || workspace.state === 'disconnected';
  return (
    <section aria-labelledby="credentials" ref={useArrival('do', 'rotate')}>
      <div class="section-head">
        <h2 id="credentials">Credentials</h2>
        <p>{isOver ? 'Ended' : `${count(credentials.length + others)} of ${CREDENTIALS_MAX} active`}</p>
      </div>
      {isCreating && reason === null && (
        <CreateCredentialDialog workspaceId={workspaceId} onClose={() => onCreating(false)} />
      )}
      <CredentialTable
        workspaceId={workspaceId}
        credentials={credentials}
        isOver={isOver}
        reason={reason}
        isWhole={others === 0}
      />
      {reason !== null && <p class="hint">{reason}</p>}
    </section>
  );
}

interface TableProps {
  readonly workspaceId: string;
  readonly credentials: readonly Credential[];
  /** True if the workspace has ended, and its credentials with it. */
  readonly isOver: boolean;
  readonly reason: string | null;
  /** False if there are credentials that cannot be read. */
  readonly isWhole: boolean;
}

function CredentialTable({ credentials, isWhole, ...shared }: TableProps) {
  return (
    <Table
      label="Credentials table"
      class="credentials-list"
      columns={['Name', 'Credential', 'Last used', 'State', { hidden: 'Actions' }]}
    >
      <Rows>
        {credentials.map((credential) => (
          <CredentialRow key={credential.credentialId} credential={credential} {...shared} />
        ))}
        {credentials.length === 0 && isWhole && (
          <tr>
            <td colSpan={5} class="muted">
              None is in force: no agent or backend has access.
            </td>
          </tr>
        )}
      </Rows>
    </Table>
  );
}

type RowProps = Omit<TableProps, 'credentials' | 'isWhole'> & { readonly credential: Credential };

function CredentialRow({ workspaceId, credential, isOver, reason }: RowProps) {
  const { credentialId, last4, lastUsedAt } = credential;
  const [rotating, rotate] = useAsked('rotate');
  const [revoking, revoke] = useAsked('revoke');
  const name = credentialName(credential);
  return (
    <tr class={isOver ? 'ended' : undefined} id={credentialId}>
      <th scope="row">{name}</th>
      <td>
        <code>svc_project_…{last4}</code>
      </td>
      <td>{lastUsedAt === null ? <span class="muted">never</span> : <RelativeTime at={lastUsedAt} />}</td>
      <td>
        <CredentialState credential={credential} isOver={isOver} />
      </td>
      <td class="end">
        {reason === null && (
          <span class="row-actions">
            <button type="button" class="btn quiet small" onClick={() => rotate(credentialId)}>
              Rotate
              <span class="vh">
                {' '}
                {name}, …{last4}
              </span>
            </button>
            <button type="button" class="btn quiet small" onClick={() => revoke(credentialId)}>
              Revoke
              <span class="vh">
                {' '}
                {name}, …{last4}
              </span>
            </button>
          </span>
        )}
        {rotating === credentialId && reason === null && (
          <RotateDialog
            workspaceId={workspaceId}
            credentialId={credentialId}
            name={name}
            last4={last4}
            onClose={() => rotate(null)}
          />
        )}
        {revoking === credentialId && reason === null && (
          <RevokeDialog workspaceId={workspaceId} credential={credential} onClose={() => revoke(null)} />
        )}
      </td>
    </tr>
  );
}

function CredentialState({ credential, isOver }: Pick<RowProps, 'credential' | 'isOver'>) {
  const { lastUsedAt, overlapEndsAt } = credential;
  if (isOver) return <State tone="idle">Ended</State>;
  if (overlapEndsAt !== null) {
    return (
      <State tone="info">
        Former secret <Countdown until={overlapEndsAt} />
      </State>
    );
  }
  return (
    <State tone={lastUsedAt === null ? 'idle' : 'ok'}>
      {lastUsedAt === null ? 'Not used yet' : 'In use'}
    </State>
  );
}

/** The name of a credential. Only that of the creation has none. */
export function credentialName({ name }: Pick<Credential, 'name'>): string {
  return visibleText(name ?? 'Agent');
}

interface RevokeProps {
  readonly workspaceId: string;
  readonly credential: Credential;
  readonly onClose: () => void;
}

function RevokeDialog({ workspaceId, credential, onClose }: RevokeProps) {
  const queries = useQueryClient();
  const name = credentialName(credential);
  const revoke = useChange({
    send: () =>
      answer(
        api.DELETE('/v1/console/workspaces/{workspaceId}/credentials/{credentialId}', {
          params: { path: { workspaceId, credentialId: credential.credentialId } },
        }),
      ),
    afterLoss: 'repeat',
    onSuccess: async () => {
      toast(`${name} is revoked`);
      forgetShown(credential.credentialId);
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${name}`}
      hint={`Requests with the secret that ends in ${credential.last4} get 401 at once. It cannot be used again. Data and other credentials stay.`}
      onClose={onClose}
      verb="Revoke credential"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
    />
  );
}
