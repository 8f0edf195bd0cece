import type { Schemas } from '../api/interface.ts';
import { IMPORT_STATES } from '../pages/imports/import-state.ts';
import { resourceAddress, resourceWord, WORKSPACE_PAGES } from '../parts/frame/resources.ts';
import type { Tone } from '../parts/table/state.tsx';
import { relativeTime } from '../parts/table/time.tsx';
import { visibleText } from '../parts/table/visible-text.ts';
import { WORKSPACE_STATES } from '../parts/workspace/workspace-state.tsx';

type Match = Schemas['SearchMatch'];

/** The groups of lines, in their order. */
export const GROUPS = ['Waits for you', 'On this page', 'Do', 'Go to'] as const;

export type Group = (typeof GROUPS)[number];

/** One line of the palette. */
export interface Entry {
  /** Unique among all entries. */
  readonly id: string;
  readonly group: Group;
  readonly label: string;
  /** The place of the thing, or its kind. */
  readonly where: string;
  /** Further words that find it. */
  readonly words?: string;
  /** True for an action on one row of a table. There are many, so they only stand in a search. */
  readonly isInRow?: boolean;
  /** Absent where a state says nothing. */
  readonly state?: { readonly word: string; readonly tone: Tone };
  /** The address that it leads to; absent for an action that happens here. */
  readonly to?: string;
  readonly run?: () => void;
}

/** The line of a resource that the service found. `now`: the service's time. */
export function matchEntry(match: Match, now: number): Entry {
  const { kind, id, name, workspaceId } = match;
  const state = stateOf(match);
  const to = resourceAddress(kind, id, workspaceId);
  return {
    id,
    group: 'Go to',
    label: `${visibleText(name)}, ${resourceWord(kind)}`,
    where: placeOf(match, now),
    ...(state === null ? {} : { state: { word: state.word, tone: state.tone } }),
    ...(to === null ? {} : { to }),
  };
}

function stateOf({ kind, importState, workspaceState }: Match) {
  if (importState !== null) return IMPORT_STATES[importState];
  return kind === 'workspace' && workspaceState !== null ? WORKSPACE_STATES[workspaceState] : null;
}

/** The words beside the state. Imports bear the name of their schema, runs that of their suite: the time tells them apart. */
function placeOf({ kind, revision, createdAt, workspaceName }: Match, now: number): string {
  const words = [
    ...(revision === null ? [] : [`revision ${revision}`]),
    ...(kind === 'import' || kind === 'run' ? [relativeTime(createdAt, now)] : []),
    ...(kind === 'workspace' || workspaceName === null ? [] : [visibleText(workspaceName)]),
  ];
  return words.join(', ');
}

/** The line of a request: what it changed. */
export function requestEntry(id: string): Entry {
  return { id, group: 'Go to', label: `Request ${id}`, where: 'audit', to: `/audit?request=${id}` };
}

/** A workspace as far as its pages depend on it. */
export interface PagedWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly products: readonly string[];
}

/** The lines of the pages of a workspace: "Feedback", in "seismic-catalogue". */
export function workspacePages({ workspaceId, name, products }: PagedWorkspace): Entry[] {
  const shown = WORKSPACE_PAGES.filter(({ product }) => product === null || products.includes(product));
  return shown.map(({ folder, label }) => {
    const to = `/agent-workspaces/${workspaceId}/${folder}`;
    return { id: to, group: 'Go to', label, where: visibleText(name), to };
  });
}

/** True if every word of the text is in the label, the place or the further words. */
export function fits({ label, where, words = '' }: Entry, text: string): boolean {
  const all = `${label} ${where} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** True for an action on this page that also stands among those of the organization, which ask or lead to where it is done. */
function isTwice({ group, label, where }: Entry, others: readonly Entry[]): boolean {
  return (
    group === 'On this page' &&
    others.some(
      (other) =>
        other.group === 'Do' && other.label === label && other.where.toLowerCase() === where.toLowerCase(),
    )
  );
}

/** Entries without repeats, by group, within each group the ones that were chosen lately first. */
export function orderEntries(entries: readonly Entry[], recent: readonly string[]): Entry[] {
  const once = entries.filter((entry) => !isTwice(entry, entries));
  const unique = [...new Map(once.map((entry) => [entry.id, entry])).values()];
  const rank = ({ id }: Entry) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const place = ({ group }: Entry) => GROUPS.indexOf(group);
  return unique.sort((left, right) => place(left) - place(right) || rank(left) - rank(right));
}

/** A label in three parts: before the searched text, the text as it stands there, and after it. */
export function markText(label: string, text: string): readonly [string, string, string] {
  const wanted = text.trim();
  const at = wanted === '' ? -1 : label.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return [label, '', ''];
  return [label.slice(0, at), label.slice(at, at + wanted.length), label.slice(at + wanted.length)];
}
