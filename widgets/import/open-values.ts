import type { TableRequest } from './check/main.ts';
import type { ValueTable } from './check/value-table.ts';
import type { FixModules } from './load-fix.ts';

/**
 * Opens a file whose values the user brings into the form of the schema before it is sent. Null if every field is a text, or if a
 * part cannot be loaded: then the service alone checks the values.
 */
export async function openValues(
  modules: FixModules,
  request: Omit<TableRequest, 'engine'>,
): Promise<ValueTable | null> {
  if (request.fields.every(({ type }) => type === 'text')) return null;
  const [engine, part] = await Promise.all([modules.values(), modules.checking()]);
  return engine && part && (await part.openTable({ ...request, engine }));
}
