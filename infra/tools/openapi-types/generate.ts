import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';

/**
 * Returns the TypeScript module that openapi-typescript makes of an OpenAPI document, for clients.
 * A member with a default stays optional: `--default-non-nullable=false` on the command line.
 */
export async function generateTypes(document: object): Promise<string> {
  return astToString(await openapiTypes(document as OpenAPI3, { defaultNonNullable: false }));
}
