import { generateTypes } from '../openapi-types/generate.ts';

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  readonly $ref?: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Headers that a browser writes by itself, and that no script of a page may set (Fetch, "forbidden request-header"). */
const WRITTEN_BY_BROWSERS = new Set(['origin']);

/** Returns the types of the HTTP interface for scripts of pages: without the headers that browsers write by themselves. */
export async function interfaceTypes(document: object): Promise<string> {
  const { paths, components } = document as Document;
  const isSent = (parameter: Parameter): boolean => {
    const name = parameter.$ref?.split('/').at(-1);
    const found = name === undefined ? parameter : components.parameters[name];
    return !(found?.in === 'header' && WRITTEN_BY_BROWSERS.has(found.name?.toLowerCase() ?? ''));
  };
  const withoutHeaders = (operation: Operation): Operation =>
    operation.parameters === undefined
      ? operation
      : { ...operation, parameters: operation.parameters.filter(isSent) };
  const sent = Object.entries(paths).map(([path, operations]) => {
    const stripped = Object.entries(operations).map(([method, each]) => [method, withoutHeaders(each)]);
    return [path, Object.fromEntries(stripped)];
  });
  return await generateTypes({ ...document, paths: Object.fromEntries(sent) });
}
