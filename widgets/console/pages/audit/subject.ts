import { resourceAddress, resourceKind, resourceWord } from '../../parts/frame/resources.ts';
import type { Entry } from './queries.ts';

/** The thing that an entry is about, by its ids. */
export interface Subject {
  /** Null where it is in no workspace. */
  readonly workspaceId: string | null;
  /** The id of the resource; null where the entry is about a workspace, the organization or the person as a whole. */
  readonly resourceId: string | null;
}

type Targeted = Pick<Entry, 'actor' | 'target' | 'detail'>;

/** Reads the ids of an entry: those of its target first, then those of its details. The person who acted is none of them. */
export function subjectOf({ actor, target, detail }: Targeted): Subject {
  const parts = [...(target?.split('/') ?? []), ...Object.values(detail).map(String)];
  const workspace = parts.find((part) => /^(?:ins|wks)_/.test(part));
  return {
    workspaceId: workspace === undefined ? null : `wks_${workspace.slice('wks_'.length)}`,
    resourceId: parts.find((part) => part !== actor.id && kindOf(part) !== null) ?? null,
  };
}

/** The kind of a resource in words: `import`; null if the text is no id of a resource, or that of a workspace. */
export function kindOf(id: string): string | null {
  const kind = resourceKind(id);
  return kind === null || kind === 'workspace' ? null : resourceWord(kind);
}

/** The address of a resource, or of the page that lists it; null if it has none. */
export function addressOf(id: string, workspaceId: string | null): string | null {
  const kind = resourceKind(id);
  return kind === null ? null : resourceAddress(kind, id, workspaceId);
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
