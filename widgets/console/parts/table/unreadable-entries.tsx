import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { type Answered, answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../form/confirm-dialog.tsx';
import { Shape } from './state.tsx';

type Entry = Schemas['UnreadableEntry'];

/** The list that the entries belong to. */
interface Place {
  /** Absent in lists of the organization. */
  readonly workspaceId?: string;
  /** The schema of capabilities. */
  readonly schemaId?: string;
  /** The widget of submissions. */
  readonly widgetId?: string;
}

interface UnreadableEntriesProps extends Place {
  readonly entries: readonly Entry[] | undefined;
}

/** The act that removes an entry which cannot be read. The service needs its id alone. */
interface Removal {
  readonly verb: string;
  readonly send: () => Promise<unknown>;
}

/** The entries that answers name as such which cannot be read, each once. Answers that have not arrived name none. */
export function unreadableIn(
  answers: readonly ({ readonly unreadable?: readonly Entry[] } | undefined)[] | undefined,
): Entry[] {
  const entries = answers?.flatMap((each) => each?.unreadable ?? []) ?? [];
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

/** The entries of a list that the service cannot read, with the act that removes them. Renders nothing without any. */
export function UnreadableEntries({ entries = [], ...place }: UnreadableEntriesProps) {
  const { role } = useMembership();
  const [asked, ask] = useState<string | null>(null);
  if (entries.length === 0) return null;
  const removal = asked === null ? null : removalOf(asked, place);
  return (
    <div class="notice warn unread">
      <Shape tone="warn" />
      <div>
        <strong>{entries.length === 1 ? 'An entry cannot be read' : 'Some entries cannot be read'}</strong>
        The log of the service has the reason. The other entries are not affected.
        <ul>
          {entries.map(({ id }) => {
            const verb = mayDecide(role) ? removalOf(id, place)?.verb : undefined;
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
function removalOf(id: string, place: Place): Removal | null {
  const kind = IMPORT_ID.test(id) ? 'import' : id.slice(0, 3);
  const needed = NEEDED[kind];
  if (needed !== undefined && place[needed] === undefined) return null;
  const { workspaceId = id, schemaId = '', widgetId = '' } = place;
  const params = {
    path: {
      ...{ workspaceId, schemaId, widgetId },
      ...{ keyId: id, invitationId: id, userId: id, credentialId: id, capabilityId: id },
      ...{ submissionId: id, importId: id },
    },
  };
  const body = { confirm: id };
  switch (kind) {
    case 'key':
      return removal('Revoke', () => api.DELETE('/v1/keys/{keyId}', { params }));
    case 'inv':
      return removal('Revoke', () => api.DELETE('/v1/console/invitations/{invitationId}', { params }));
    case 'usr':
      return removal('Remove', () => api.DELETE('/v1/console/members/{userId}', { params }));
    case 'wks':
      return removal('Erase', () => api.POST(`${PATH}/erase`, { params, body }));
    case 'crd':
      return removal('Revoke', () => api.DELETE(`${PATH}/credentials/{credentialId}`, { params }));
    case 'cap':
      return removal('Revoke', () => api.DELETE(`${CAPABILITIES}/{capabilityId}`, { params }));
    case 'sub':
      return removal('Erase', () => api.DELETE(`${SUBMISSIONS}/{submissionId}`, { params }));
    case 'import':
      return removal('Erase', () => api.POST(`${PATH}/imports/{importId}/erase`, { params, body }));
    default:
      return null;
  }
}

const PATH = '/v1/console/workspaces/{workspaceId}';
const CAPABILITIES = `${PATH}/schemas/{schemaId}/capabilities` as const;
const SUBMISSIONS = `${PATH}/widgets/{widgetId}/submissions` as const;

/** The member of the place without which the address of an entry is not known. */
const NEEDED: Readonly<Record<string, keyof Place>> = {
  crd: 'workspaceId',
  cap: 'schemaId',
  sub: 'widgetId',
  import: 'workspaceId',
};

function removal(verb: string, send: () => Promise<Answered<unknown>>): Removal {
  return { verb, send: () => answer(send()) };
}

const IMPORT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
