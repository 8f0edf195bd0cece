type Keywords = Record<string, unknown>;

/** The numbers that generated code reads where an integer has no format. */
const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/**
 * Rewrites the keywords of one schema into forms that every common generator of clients reads. A rule that is lost stands in the
 * text of the schema, and the service checks it all the same (infra/docs/other-languages.md).
 */
export function makePortable(keywords: Keywords): void {
  const { type } = keywords;
  if (type === 'integer') sizeInteger(keywords);
  // Without the format, Go and Java read 32 bits.
  if (type === 'number') keywords['format'] = 'double';
  if ('const' in keywords && typeof keywords['const'] !== 'string') delete keywords['const'];
  const { format, pattern } = keywords;
  // Generators that have a type for times find no way to match it against a pattern.
  if (format === 'date-time') delete keywords['pattern'];
  else if (typeof pattern === 'string') keywords['pattern'] = withoutLineSeparators(pattern);
}

/** Removes U+2028 and U+2029 from sets. hey-api writes them as they are, and a line of a module ends there. */
function withoutLineSeparators(pattern: string): string {
  return pattern.replaceAll('\\u2028\\u2029', '').replaceAll('\\u2028-\\u202e', '\\u202a-\\u202e');
}

function sizeInteger(keywords: Keywords): void {
  const { exclusiveMinimum } = keywords;
  if (typeof exclusiveMinimum === 'number') {
    delete keywords['exclusiveMinimum'];
    keywords['minimum'] = exclusiveMinimum + 1;
  }
  const { minimum = 0, maximum = 0 } = keywords;
  if (Number(maximum) > INT32_MAX || Number(minimum) < INT32_MIN) keywords['format'] = 'int64';
}
