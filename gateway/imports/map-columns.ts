import { serviceError } from '../../schemas/base/errors.ts';
import type { ColumnMapping, Field, Mapping } from '../../schemas/imports/configuration.ts';

/**
 * Turns header names into positions and checks the targets.
 *
 * @param header the names of the file; null if its header cannot be read, so that no source is one of them
 * @throws {ServiceError} `bad_request`. Sources are named by their index, never by the private name (contract D).
 */
export function mapColumns(
  { columns }: Mapping,
  fields: readonly Field[],
  header: readonly string[] | null,
): ColumnMapping[] {
  const mapped = columns.map(({ source, target }, position) => {
    if (!fields.some(({ key }) => key === target)) {
      throw badColumn(
        `columns[${position}].target`,
        'a key of no field',
        "the key of one of the schema's fields",
      );
    }
    const index = header?.indexOf(source) ?? -1;
    if (index === -1)
      throw badColumn(
        `columns[${position}].source`,
        header === null
          ? 'a name while the header of the file cannot be read'
          : 'a name that the header of the file lacks',
        "one of the file's header names",
      );
    return { target, index };
  });
  const missing = fields.filter(
    ({ key, required }) => required && !mapped.some(({ target }) => target === key),
  );
  if (missing.length > 0) {
    const keys = shortList(missing.map(({ key }) => key));
    throw badColumn(
      'columns',
      `no source for ${missing.length} of the required fields`,
      `a source for ${keys}`,
    );
  }
  return mapped;
}

function badColumn(place: string, seen: string, expected: string) {
  return serviceError('bad_request', { at: `body.${place}`, seen: `${seen}`, expected: `${expected}` });
}

/** How many keys one answer names. */
const KEYS_SHOWN_MAX = 5;

function shortList(keys: readonly string[]): string {
  const unshown = keys.length - KEYS_SHOWN_MAX;
  return `${keys.slice(0, KEYS_SHOWN_MAX).join(', ')}${unshown > 0 ? ` and ${unshown} more` : ''}`;
}
