import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';

/**
 * Returns the TypeScript module that openapi-typescript makes of an OpenAPI document, for clients: that of its command line
 * without options.
 */
export async function generateTypes(document: object): Promise<string> {
  return astToString(await openapiTypes(document as OpenAPI3));
}
