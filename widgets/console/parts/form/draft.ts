import { type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { sessionQuery } from '../../api/session.ts';

/** The place of drafts in this tab's storage, which ends with the tab. */
const KEY = 'svc-drafts';

/** The drafts of one person by organization and form. */
interface Drafts {
  /** The id of the person; empty before a sign-in. */
  readonly owner: string;
  readonly byPlace: Record<string, object>;
}

/** The drafts in the storage, and those that only this page has. */
let stored: Drafts | null = null;
let unstored: Drafts['byPlace'] = {};

/** The values that a person has typed into a form and not sent. */
export interface Draft<Values> {
  readonly values: Values;
  /** True if the values differ from those that the form begins with. */
  readonly isTouched: boolean;
  /** Changes some of the values. */
  readonly set: (changes: Partial<Values>) => void;
  /** Forgets the draft: it was sent, or the person begins again. */
  readonly discard: () => void;
}

interface DraftOptions {
  /** True for values that no storage may have, such as secrets. They last until the page is loaded again. */
  readonly isPrivate?: boolean;
}

/**
 * A hook: the values of a form. They survive Esc, Back, other pages, a reload and a session that ends, until they are sent or
 * discarded. They end with the tab, and for another person.
 */
export function useDraft<Values extends object>(
  name: string,
  first: Values,
  { isPrivate = false }: DraftOptions = {},
): Draft<Values> {
  const { owner, place } = placeOf(useQueryClient(), name);
  const [values, setValues] = useState<Values>(() => ({
    ...first,
    ...draftsOf(owner, isPrivate)[place],
  }));
  const isSame = (next: Values) => JSON.stringify(next) === JSON.stringify(first);
  const keep = (next: Values) => {
    const drafts = draftsOf(owner, isPrivate);
    if (isSame(next)) delete drafts[place];
    else drafts[place] = next;
    if (!isPrivate) write();
    setValues(next);
  };
  return {
    values,
    isTouched: !isSame(values),
    // Two fields can change before the next rendering, as a password manager fills them.
    set: (changes) => keep({ ...first, ...draftsOf(owner, isPrivate)[place], ...changes }),
    discard: () => keep(first),
  };
}

/**
 * Keeps something beside the drafts, for as long as they are kept: until null takes its place, the tab ends, or another person
 * signs in.
 */
export function keepBesideDrafts(queries: QueryClient, name: string, value: object | null): void {
  const { owner, place } = placeOf(queries, name);
  const drafts = draftsOf(owner, false);
  if (value === null) delete drafts[place];
  else drafts[place] = value;
  write();
}

/** Returns what {@link keepBesideDrafts} has kept under a name, or null. */
export function keptBesideDrafts<Value extends object>(queries: QueryClient, name: string): Value | null {
  const { owner, place } = placeOf(queries, name);
  return (draftsOf(owner, false)[place] as Value | undefined) ?? null;
}

/** The person and the place of what this person keeps under a name, in the organization that is shown. */
function placeOf(queries: QueryClient, name: string): { readonly owner: string; readonly place: string } {
  const session = queries.getQueryData(sessionQuery.queryKey);
  return { owner: session?.user.userId ?? '', place: `${session?.organizationId ?? ''}/${name}` };
}

/** Forgets every draft of this tab, except those of the person whose session begins. */
export function forgetDrafts(owner = ''): void {
  stored ??= read();
  if (owner !== '' && stored.owner === owner) return;
  stored = { owner, byPlace: {} };
  unstored = {};
  write();
}

/** The drafts of a person, or of a visitor without a session. */
function draftsOf(owner: string, isPrivate: boolean): Drafts['byPlace'] {
  stored ??= read();
  if (owner !== '') forgetDrafts(owner);
  return isPrivate ? unstored : stored.byPlace;
}

function read(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? { owner: '', byPlace: {} };
  } catch {
    return { owner: '', byPlace: {} };
  }
}

function write(): void {
  try {
    if (stored === null || Object.keys(stored.byPlace).length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // A browser that stores nothing keeps drafts until the page is loaded again.
  }
}
