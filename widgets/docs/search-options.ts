import type { Options } from 'minisearch';

/** The text below one heading of a page, or one row of a table. */
export interface SearchedPassage {
  /** The address, with the anchor of a heading or a row. */
  readonly id: string;
  /** The section and the title of the page. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** A found passage, as the index keeps it. */
export type FoundPassage = Pick<SearchedPassage, 'id' | 'title' | 'heading'>;

/** The build writes the index with these options, and the page reads it with them. */
export const SEARCH_OPTIONS: Options<SearchedPassage> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading'],
  // An identifier is found as a whole and by its parts: `rate_limited`, `subjectDigest`, `SVC_SECRET_PREVIOUS`.
  tokenize: (text) =>
    text
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => [word, ...word.split(/_|(?<=[a-z])(?=[A-Z])/)])
      .filter((word, index, words) => word.length > 1 && words.indexOf(word) === index),
  processTerm: (term) => {
    const word = term.toLowerCase();
    return COMMON_WORDS.has(word) ? null : (OUR_WORDS.get(word) ?? word);
  },
  searchOptions: {
    boost: { heading: 5, title: 2 },
    // A reason is read after the guide that rests on it.
    boostDocument: (id) => (String(id).startsWith('/docs/decisions/') ? 0.5 : 1),
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};

/** Words of every page, which find nothing and make the index large. */
const COMMON_WORDS = new Set(
  (
    'a an and are as at be been by can do does for from has have how if in into is it its may must no not of on one or so than that the ' +
    'their them then there these this to was what when where which who will with you your i my we our'
  ).split(' '),
);

/** Words that people search for and no page has, each with the one that the pages have. */
const OUR_WORDS = new Map([
  ['sso', 'oidc'],
  ['saml', 'oidc'],
  ['okta', 'oidc'],
  ['throttle', 'rate'],
  ['throttling', 'rate'],
  ['pricing', 'subscription'],
  ['k8s', 'kubernetes'],
  ['xlsx', 'csv'],
]);
