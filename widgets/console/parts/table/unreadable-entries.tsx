import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../form/confirm-dialog.tsx';
import { Shape } from './state.tsx';

interface UnreadableEntriesProps {
  readonly entries: readonly Schemas['UnreadableEntry'][] | undefined;
  /** The workspace of the list; absent in lists of the organization. */
  readonly workspaceId?: string;
}

/** The act that removes an entry which cannot be read. The service needs its id alone. */
interface Removal {
  readonly verb: string;
  readonly send: () => Promise<unknown>;
}

/** The entries of a list that the service cannot read, with the act that removes them. Renders nothing without any. */
export function UnreadableEntries({ entries = [], workspaceId }: UnreadableEntriesProps) {
  const { role } = useMembership();
  const [asked, ask] = useState<string | null>(null);
  if (entries.length === 0) return null;
  const removal = asked === null ? null : removalOf(asked, workspaceId);
  return (
    <div class="notice warn">
      <Shape tone="warn" />
      <div>
        <strong>{entries.length === 1 ? 'An entry cannot be read' : 'Some entries cannot be read'}</strong>
        The log of the service has the reason. The other entries are not affected.
        <ul>
          {entries.map(({ id }) => {
            const verb = mayDecide(role) ? removalOf(id, workspaceId)?.verb : undefined;
            return (
              <li key={id}>
                <code>{id}</code>{' '}
                {verb !== undefined && (
                  <button type="button" class="btn small danger" onClick={() => ask(id)}>
                    {verb}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {asked !== null && removal !== null && (
        <Confirmation id={asked} removal={removal} onClose={() => ask(null)} />
      )}
    </div>
  );
}

interface ConfirmationProps {
  readonly id: string;
  readonly removal: Removal;
  readonly onClose: () => void;
}

function Confirmation({ id, removal: { verb, send }, onClose }: ConfirmationProps) {
  const queries = useQueryClient();
  const change = useChange({
    send,
    afterLoss: 'gone',
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      title={`${verb} ${id}?`}
      hint="Nothing of it can be shown before. This cannot be undone."
      verb={verb}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

/** The act for an id, which says what the entry is; null where nothing can be done. */
function removalOf(id: string, workspaceId: string | undefined): Removal | null {
  const path = { keyId: id, invitationId: id, userId: id };
  switch (id.slice(0, 4)) {
    case 'key_':
      return { verb: 'Revoke', send: () => answer(api.DELETE('/v1/keys/{keyId}', { params: { path } })) };
    case 'inv_':
      return {
        verb: 'Revoke',
        send: () => answer(api.DELETE('/v1/console/invitations/{invitationId}', { params: { path } })),
      };
    case 'usr_':
      return {
        verb: 'Remove',
        send: () => answer(api.DELETE('/v1/console/members/{userId}', { params: { path } })),
      };
    case 'wks_':
      return {
        verb: 'Erase',
        send: () =>
          answer(
            api.POST('/v1/console/workspaces/{workspaceId}/erase', {
              params: { path: { workspaceId: id } },
              body: { confirm: id },
            }),
          ),
      };
  }
  if (workspaceId === undefined || !IMPORT_ID.test(id)) return null;
  return {
    verb: 'Erase',
    send: () =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/imports/{importId}/erase', {
          params: { path: { workspaceId, importId: id } },
          body: { version: 'svcimport.erase.v1', confirm: id },
        }),
      ),
  };
}

const IMPORT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
