import { serviceError } from '../../schemas/base/errors.ts';
import type { ColumnMapping, Field, Mapping } from '../../schemas/imports/configuration.ts';

/**
 * Turns header names into positions and checks the targets.
 *
 * @param header the names of the file; null if its header cannot be read, so that no source is one of them
 * @throws {ServiceError} `bad_request`. Sources are named by their index, never by the private name.
 */
export function mapColumns(
  { columns }: Mapping,
  fields: readonly Field[],
  header: readonly string[] | null,
): ColumnMapping[] {
  const mapped = columns.map(({ source, target }, position) => {
    if (!fields.some(({ key }) => key === target)) {
      throw serviceError('bad_request', {
        at: `body.columns[${position}].target`,
        seen: 'a key of no field',
        expected: "the key of one of the schema's fields",
      });
    }
    const index = header?.indexOf(source) ?? -1;
    if (index === -1) {
      throw serviceError('bad_request', {
        at: `body.columns[${position}].source`,
        seen: 'a name that the header of the file lacks',
        expected: "one of the file's header names",
      });
    }
    return { target, index };
  });
  const missing = fields.filter(
    ({ key, required }) => required && !mapped.some(({ target }) => target === key),
  );
  if (missing.length > 0) {
    throw serviceError('bad_request', {
      at: 'body.columns',
      seen: `no source for ${missing.length} of the required fields`,
      expected: `a source for ${shortList(missing.map(({ key }) => key))}`,
    });
  }
  return mapped;
}

/** The keys that one answer names. */
const KEYS_SHOWN_MAX = 5;

function shortList(keys: readonly string[]): string {
  const unshown = keys.length - KEYS_SHOWN_MAX;
  return `${keys.slice(0, KEYS_SHOWN_MAX).join(', ')}${unshown > 0 ? ` and ${unshown} more` : ''}`;
}
