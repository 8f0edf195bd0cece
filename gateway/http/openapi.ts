import type { z } from 'zod';
import { errorEnvelopeSchema } from '../../schemas/base/errors.ts';
import type { JsonObject, JsonValue } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import { type OperationDocumentation, operationsByName, type ProductDocumentation } from './documentation.ts';
import { SchemaComponents } from './json-schema.ts';
import { BASE_SCHEMAS, describeErrors, errorComponents } from './openapi-errors.ts';
import { ETAG_HEADER, HEADERS, QUOTA_HEADERS, REQUEST_ID_HEADER } from './openapi-headers.ts';
import { ParameterComponents } from './openapi-parameters.ts';
import { describeSecurity, needsCredential } from './openapi-security.ts';
import type { Route } from './route.ts';
import type { Hosts } from './services.ts';

/** Version of the interface as a whole. Each product has the version of its contract in its bodies. */
const INTERFACE_VERSION = '1.0.0';

const DESCRIPTION = `
Rate-limit checks, agent workspaces, onboarding checklists and CSV import.

**Credentials.** Send a bearer secret as \`Authorization: Bearer svc_…\`. The console uses a session cookie, and every change
there also needs the \`Origin\` of the console. Each operation names the kind of credential that it takes.

**Errors.** Every error has the body \`Error\`. Decide by \`error.code\`, not by the message. Errors with \`Retry-After\` can succeed
later; the others need another request or a change by a person.

**Repeats.** Requests with an idempotency key can be repeated safely. After a 503 or a lost answer, send the same request with
the same key again.

**Lists.** A page has a \`nextCursor\`. Send it as \`cursor\` for the next page; null means that there is none.

**Texts.** Lengths count Unicode code points. Times are ISO 8601 in UTC.
`.trim();

/** The operator's settings that the description depends on besides the routes. */
export interface InterfaceSettings {
  readonly hosts: Hosts;
  readonly limits: Limits;
}

/** The parts that describe one operation. */
interface Describer {
  readonly settings: InterfaceSettings;
  readonly schemas: SchemaComponents;
  readonly parameters: ParameterComponents;
  readonly operations: ReturnType<typeof operationsByName>;
}

/**
 * Describes routes as an OpenAPI 3.1 document. Its facts come from the same declarations as the router and the
 * checks, so they match the running service. Names, descriptions and examples come from the documentation of the
 * products.
 *
 * @throws {Error} naming an operation or a component that is described twice
 */
export function describeInterface(
  routes: readonly Route[],
  settings: InterfaceSettings,
  products: readonly ProductDocumentation[] = [],
): JsonObject {
  const { hosts, limits } = settings;
  const documented = [...BASE_SCHEMAS, ...products.flatMap((product) => product.schemas)];
  const schemas = new SchemaComponents(documented, limits);
  const parameters = new ParameterComponents(hosts, schemas);
  const describer = { settings, schemas, parameters, operations: operationsByName(products) };
  schemas.describe(errorEnvelopeSchema, 'output');
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, describer) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: INTERFACE_VERSION,
      description: DESCRIPTION,
      contact: { name: 'Console of this service', url: hosts.console },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: hosts.base }],
    tags: products.map(({ tag }) => ({ ...tag })),
    paths,
    components: {
      schemas: schemas.all(),
      parameters: parameters.all(),
      responses: errorComponents(routes),
      headers: HEADERS,
      securitySchemes: describeSecurity(hosts),
    },
  };
}

function describeOperation(route: Route, describer: Describer): JsonObject {
  const { hosts } = describer.settings;
  const documentation = describer.operations.get(route.name);
  const texts = { ...documentation?.product.parameters, ...documentation?.parameters };
  return {
    operationId: route.name,
    ...(documentation === undefined ? {} : { tags: [documentation.product.tag.name] }),
    summary: route.summary,
    ...(documentation === undefined ? {} : { description: descriptionOf(route, documentation) }),
    ...(route.host === 'any' ? {} : { servers: [{ url: hosts[route.host] }] }),
    security: needsCredential(route) ? [{ [route.principal]: [] }] : [],
    parameters: describer.parameters.describe(route, texts),
    ...describeRequestBody(route, describer, documentation),
    responses: { ...describeSuccess(route, describer, documentation), ...describeErrors(route) },
  };
}

/** The text of the documentation, and who may call. */
function descriptionOf(route: Route, { description }: OperationDocumentation): string {
  if (route.roles === undefined) return description;
  const roles = `Roles: ${route.roles.join(', ')}.`;
  const operator = route.operator === true ? ' Only for the organization that operates the service.' : '';
  return `${description}\n\n${roles}${operator}`;
}

function describeRequestBody(
  route: Route,
  { schemas }: Describer,
  documentation: OperationDocumentation | undefined,
): JsonObject {
  const { body } = route;
  if (body.kind === 'none') return {};
  const contentType = body.kind === 'json' ? 'application/json' : body.contentType;
  const content = describeContent(schemas, body.schema, 'input', documentation?.request);
  return { requestBody: { required: true, content: { [contentType]: content } } };
}

/** @param example overrides the example of the schema */
function describeContent(
  schemas: SchemaComponents,
  schema: z.ZodType | undefined,
  io: 'input' | 'output',
  example: JsonValue | undefined,
): JsonObject {
  const chosen = example ?? (schema === undefined ? undefined : schemas.documentationOf(schema)?.example);
  return {
    ...(schema === undefined ? {} : { schema: schemas.describe(schema, io) }),
    ...(chosen === undefined ? {} : { example: chosen }),
  };
}

function describeFile(schemas: SchemaComponents, file: OperationDocumentation['file']): JsonObject {
  if (file === undefined) return {};
  const { schema, example } = file;
  return { schema: schema === undefined ? { type: 'string' } : schemas.describe(schema, 'output'), example };
}

function describeSuccess(
  route: Route,
  { schemas }: Describer,
  documentation: OperationDocumentation | undefined,
): JsonObject {
  const { success } = route;
  const content = {
    ...(success.schema === undefined
      ? {}
      : { 'application/json': describeContent(schemas, success.schema, 'output', documentation?.answer) }),
    ...(success.attachment === undefined
      ? {}
      : { [success.attachment]: describeFile(schemas, documentation?.file) }),
  };
  const headers = {
    ...REQUEST_ID_HEADER,
    ...(success.etag === true ? ETAG_HEADER : {}),
    ...(route.quotaHeaders === true ? QUOTA_HEADERS : {}),
  };
  return {
    [success.status]: {
      description: success.description,
      headers,
      ...(Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(success.accepted === undefined
      ? {}
      : { 202: { description: success.accepted, headers: REQUEST_ID_HEADER } }),
    ...(success.etag === true ? { 304: { description: 'The answer has not changed', headers } } : {}),
  };
}
