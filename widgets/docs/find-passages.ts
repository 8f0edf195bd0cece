import type MiniSearch from 'minisearch';
import type { FoundPassage, SearchedPassage } from './search-options.ts';

/** The number of results that are shown. */
export const RESULTS_MAX = 12;

/** With fewer passages that have every word, others follow. */
const EXACT_FEW = 4;

/** Passages with every word first; if there are few, then those with any of them. */
export function findPassages(index: MiniSearch<SearchedPassage>, query: string): FoundPassage[] {
  if (query.trim() === '') return [];
  const exact = index.search(query);
  const any = exact.length < EXACT_FEW ? index.search(query, { combineWith: 'OR' }) : [];
  const found = new Map([...exact, ...any].map((each) => [each.id, each]));
  return [...found.values()]
    .slice(0, RESULTS_MAX)
    .map(({ id, title, heading }) => ({ id: String(id), title: String(title), heading: String(heading) }));
}
