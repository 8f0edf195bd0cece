import { hasPassword } from '../api/has-password.ts';
import type { Member } from '../api/members.ts';
import { type NamedPerson, personName } from '../api/person-name.ts';
import type { Role, Session } from '../api/session.ts';
import { visibleText } from '../parts/table/visible-text.ts';
import type { Entry } from './palette-entries.ts';

interface Workspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly state: string;
  readonly products: readonly string[];
}

interface Key {
  readonly keyId: string;
  readonly name: string;
  readonly last4: string;
}

/** Everything that actions of the palette are about. */
export interface Subjects {
  readonly role: Role;
  /** The person of the session. */
  readonly user: Pick<Session['user'], 'hasPassword'>;
  readonly workspaces: readonly Workspace[];
  readonly keys: readonly Key[];
  /** The other members that the person manages. */
  readonly members: readonly (NamedPerson & Pick<Member, 'hasPassword'>)[];
}

/** An action at an address. */
function at(to: string, label: string, where: string, words = ''): Entry {
  return { id: `${label} ${to}`, group: 'Do', label, where: visibleText(where), words, to };
}

/** The actions of the organization that a person with this role may do, in the order of their frequency. */
export function organizationActions({ role, user }: Pick<Subjects, 'role' | 'user'>): Entry[] {
  const own = [
    ...(hasPassword(user)
      ? [
          at('/settings?do=password', 'Change your password', 'settings'),
          at('/settings?do=email', 'Change your e-mail', 'settings', 'mail address'),
        ]
      : []),
    at('/settings?do=sessions', 'End another session', 'settings', 'sign out browser'),
  ];
  if (role === 'member') return own;
  return [
    at('/keys?do=create', 'Create key', 'keys', 'new api key'),
    at('/members?do=invite', 'Invite a person', 'members', 'add member people'),
    at('/claim', 'Claim a workspace', 'paste a link', 'attach'),
    at('/audit', 'Export the audit log', 'audit', 'csv download'),
    at('/keys', 'Start or cancel the subscription', 'keys', 'billing plan'),
    ...own,
  ];
}

/** The actions about one workspace, key or member each. They are many, so they only stand in a search. */
export function subjectActions({ role, workspaces, keys, members }: Subjects): Entry[] {
  if (role === 'member') return [];
  return [
    ...workspaces.flatMap((workspace) => workspaceActions(workspace, role)),
    ...keys.flatMap(({ keyId, name, last4 }) => [
      at(`/keys/${keyId}?do=edit`, `Rename key ${visibleText(name)}`, `…${last4}`, 'keys expiry edit'),
      at(`/keys/${keyId}?do=rotate`, `Rotate key ${visibleText(name)}`, `…${last4}`, 'keys replace'),
      at(`/keys?revoke=${keyId}`, `Revoke key ${visibleText(name)}`, `…${last4}`, 'keys delete'),
    ]),
    ...members.flatMap((member) => memberActions(member, role)),
  ];
}

function memberActions(member: Subjects['members'][number], role: Role): Entry[] {
  const { userId: id } = member;
  const name = personName(member);
  return [
    at(`/members?person=${id}`, `Change the role of ${name}`, 'members', 'admin owner'),
    ...(role === 'owner' && hasPassword(member)
      ? [at(`/members?person=${id}`, `Make a reset link for ${name}`, 'members', 'password')]
      : []),
    at(`/members?remove=${id}`, `Remove ${name}`, 'members', 'delete'),
  ];
}

function workspaceActions({ workspaceId, name, state, products }: Workspace, role: Role): Entry[] {
  const root = `/agent-workspaces/${workspaceId}`;
  const own = (act: string, label: string, words = '') => at(`${root}?do=${act}`, label, name, words);
  const isLive = state !== 'expired' && state !== 'disconnected';
  return [
    ...(isLive ? [own('create-credential', 'Create credential'), own('rotate', 'Rotate a credential')] : []),
    ...(isLive && products.includes('svcimport')
      ? [at(`${root}/schemas`, 'Create capability', name, 'backend pull')]
      : []),
    ...(isLive
      ? [
          at(`${root}/checks`, 'Run a check', name, 'suite browser'),
          at(`${root}/checks?do=name-origin`, 'Add an origin', name, 'check'),
          at(`${root}/checks?do=create-suite`, 'Create suite', name, 'check pages'),
        ]
      : []),
    ...(state === 'active' ? [own('pause', 'Pause workspace', 'stop')] : []),
    ...(state === 'paused' ? [own('pause', 'Resume workspace', 'continue')] : []),
    ...(state === 'disconnected' ? [] : [own('disconnect', 'Disconnect workspace', 'end')]),
    ...(role === 'owner' ? [own('erase', 'Erase workspace', 'delete')] : []),
  ];
}
