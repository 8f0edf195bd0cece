import type { Options } from 'minisearch';

/** The text below one heading of a page, or one row of a table. */
export interface SearchedPassage {
  /** The address, with the anchor of a heading or a row. */
  readonly id: string;
  /** The section and the title of the page. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** Words that lead to the passage and do not stand in it. */
  readonly words: string;
}

/** A found passage, as the index keeps it. */
export type FoundPassage = Pick<SearchedPassage, 'id' | 'title' | 'heading'>;

/** The build writes the index with these options, and the page reads it with them. */
export const SEARCH_OPTIONS: Options<SearchedPassage> = {
  fields: ['title', 'heading', 'text', 'words'],
  storeFields: ['title', 'heading'],
  tokenize: (text) => (text.trim().length === 1 ? [text.trim()] : wordsOf(text)),
  processTerm: (term) => {
    const word = term.toLowerCase();
    return COMMON_WORDS.has(word) ? null : (OUR_WORDS.get(word) ?? word);
  },
  searchOptions: {
    boost: { heading: 5, title: 2, words: 8 },
    // A reason is read after the guide that rests on it.
    boostDocument: (id) => (String(id).startsWith('/docs/decisions/') ? 0.5 : 1),
    // A single letter is the whole query, of a person who types on.
    prefix: (term) => term.length !== 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};

/** An identifier is found as a whole and by its parts: `rate_limited`, `subjectDigest`, `SVC_SECRET_PREVIOUS`. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(SPELLINGS, (sign) => ` ${SPELLED[sign.toLowerCase()] ?? sign} `)
    .replaceAll(/n['’]t\b/g, 'nt')
    .split(/[^\p{L}\p{N}_]+/u)
    .flatMap((word) => [word, ...word.split(/_|(?<=[a-z])(?=[A-Z])/)])
    .filter((word, index, words) => word.length > 1 && words.indexOf(word) === index);
}

/** Names whose signs are part of them. */
const SPELLED: Readonly<Record<string, string>> = { 'c++': 'cplusplus', 'c#': 'csharp', '.net': 'dotnet' };
const SPELLINGS = /\bc\+\+|\bc#|(?<!\w)\.net\b/gi;

/** Words of every page, which find nothing and make the index large. */
const COMMON_WORDS = new Set(
  (
    'a an and are as at be been by can do does for from has have how if in into is it its may must no not of on one or so than that the ' +
    'their them then there these this to was what when where which who will with you your i my we our after all also any before ' +
    'each every first found given has here just like more most names never only other others same still such takes too two under ' +
    'until while without'
  ).split(' '),
);

/**
 * Words that people search for and no page has, each with the one that the pages have. A word that leads to one place stands in
 * infra/tools/site/search-words.ts.
 */
const OUR_WORDS = new Map([
  ['sso', 'oidc'],
  ['saml', 'oidc'],
  ['okta', 'oidc'],
  ['auth0', 'oidc'],
  ['keycloak', 'oidc'],
  ['entra', 'oidc'],
  ['k8s', 'kubernetes'],
]);
