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
      throw badColumn(`columns[${position}].target`, "expected the key of one of the schema's fields");
    }
    const index = header?.indexOf(source) ?? -1;
    if (index === -1)
      throw badColumn(`columns[${position}].source`, "expected one of the file's header names");
    return { target, index };
  });
  const missing = fields.filter(
    ({ key, required }) => required && !mapped.some(({ target }) => target === key),
  );
  if (missing.length > 0) {
    const keys = missing.map(({ key }) => key).join(', ');
    throw badColumn('columns', `expected a source for every required field; there is none for ${keys}`);
  }
  return mapped;
}

function badColumn(place: string, expected: string) {
  return serviceError('bad_request', `body.${place}: ${expected}.`);
}
