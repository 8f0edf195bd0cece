import type { Entry } from './queries.ts';

/** The thing that an entry is about, by its ids. */
export interface Subject {
  /** Null where it is in no workspace. */
  readonly workspaceId: string | null;
  /** The id of the resource; null where the entry is about a workspace, the organization or the person as a whole. */
  readonly resourceId: string | null;
}

type Targeted = Pick<Entry, 'actor' | 'target' | 'detail'>;

/** The kinds of resources by the prefix of their ids. An import has a UUID, without a prefix. */
const KINDS: Readonly<Record<string, { readonly word: string; readonly folder?: string }>> = {
  chk: { word: 'checklist', folder: 'checklists' },
  sch: { word: 'schema', folder: 'schemas' },
  run: { word: 'run', folder: 'checks' },
  wid: { word: 'widget' },
  sub: { word: 'submission' },
  ori: { word: 'origin' },
  acc: { word: 'access profile' },
  sui: { word: 'suite' },
  key: { word: 'key' },
  usr: { word: 'person' },
  cap: { word: 'capability' },
  crd: { word: 'credential' },
  inv: { word: 'invitation' },
  req: { word: 'request' },
};

const IMPORT = { word: 'import', folder: 'imports' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads the ids of an entry: those of its target first, then those of its details. The person who acted is none of them. */
export function subjectOf({ actor, target, detail }: Targeted): Subject {
  const parts = [...(target?.split('/') ?? []), ...Object.values(detail).map(String)];
  const workspace = parts.find((part) => /^(?:ins|wks)_/.test(part));
  return {
    workspaceId: workspace === undefined ? null : `wks_${workspace.slice('wks_'.length)}`,
    resourceId: parts.find((part) => part !== actor.id && kindOf(part) !== null) ?? null,
  };
}

/** The kind of a resource in words: `import`; null if the text is no id of a resource. */
export function kindOf(id: string): string | null {
  return described(id)?.word ?? null;
}

function described(id: string) {
  if (UUID.test(id)) return IMPORT;
  const [prefix = '', rest] = id.split('_');
  return rest === undefined ? null : (KINDS[prefix] ?? null);
}

/** The address of a resource, or of the page that lists it; null if it has none. */
export function addressOf(id: string, workspaceId: string | null): string | null {
  if (id.startsWith('key_')) return `/keys/${id}`;
  if (/^(?:usr|inv)_/.test(id)) return '/members';
  if (workspaceId === null) return null;
  const root = `/agent-workspaces/${workspaceId}`;
  if (/^(?:wks|ins|crd)_/.test(id)) return root;
  if (/^(?:ori|acc)_/.test(id)) return `${root}/checks`;
  if (id.startsWith('sui_')) return `${root}/checks?suite=${id}`;
  if (id.startsWith('wid_')) return `${root}/feedback?widget=${id}`;
  const folder = described(id)?.folder;
  return folder === undefined ? null : `${root}/${folder}/${id}`;
}

/** Reads of private data by a page that stays open. Several in a row say no more than one. */
const READS: ReadonlySet<string> = new Set([
  'imports.read-rows',
  'imports.read-errors',
  'workspaces.inspect-claim',
  'checks.read-screenshot',
  'feedback.read',
]);

/** Equal entries as one row, newest first. */
export type Group = readonly [newest: Entry, ...older: Entry[]];

/** Puts equal reads together that have nothing but reads between them. Every other entry is a group by itself. */
export function groupReads(entries: readonly Entry[]): Group[] {
  const groups: [Entry, ...Entry[]][] = [];
  let running = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const isRead = READS.has(entry.action);
    if (!isRead) running = new Map();
    const key = JSON.stringify([entry.action, entry.actor.id, subjectOf(entry)]);
    const equal = running.get(key);
    if (equal !== undefined) {
      equal.push(entry);
      continue;
    }
    const group: [Entry, ...Entry[]] = [entry];
    groups.push(group);
    if (isRead) running.set(key, group);
  }
  return groups;
}

/** The name of a detail in words: `workspaceId` is "Workspace". */
export function detailWord(name: string): string {
  const words = name
    .replace(/Id$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
