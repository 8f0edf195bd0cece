import type { z } from 'zod';
import { errorEnvelopeSchema } from '../../../schemas/base/errors.ts';
import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Hosts } from '../../services.ts';
import type { Route, Success } from '../routing/route.ts';
import { describeErrors, errorComponents } from './errors.ts';
import { ETAG_HEADER, HEADERS, QUOTA_HEADERS, REQUEST_ID_HEADER } from './headers.ts';
import { SchemaComponents } from './json-schema.ts';
import { ParameterComponents } from './parameters.ts';
import { describeSecurity, needsCredential } from './security.ts';

/** Version of the interface as a whole. Each product has the version of its contract in its bodies. */
const INTERFACE_VERSION = '1.0.0';

const DESCRIPTION = `
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
}

/**
 * Describes routes as an OpenAPI 3.1 document. Its facts come from the same declarations as the router and the
 * checks, so they match the running service.
 *
 * @throws {Error} naming a component that stands for two different schemas
 */
export function describeInterface(routes: readonly Route[], settings: InterfaceSettings): JsonObject {
  const { hosts, limits } = settings;
  const schemas = new SchemaComponents(limits);
  const parameters = new ParameterComponents(hosts, schemas);
  const describer = { settings, schemas, parameters };
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
    tags: tagsOf(routes),
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

function tagsOf(routes: readonly Route[]): JsonObject[] {
  const tags = routes.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  return [...new Set(tags)].map((tag) => ({ ...tag }));
}

function describeOperation(route: Route, describer: Describer): JsonObject {
  const { hosts } = describer.settings;
  const { tag } = route;
  return {
    operationId: route.name,
    ...(tag === undefined ? {} : { tags: [tag.name] }),
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.host === 'any' ? {} : { servers: [{ url: hosts[route.host] }] }),
    security: needsCredential(route) ? [{ [route.principal]: [] }] : [],
    parameters: describer.parameters.describe(route),
    ...describeRequestBody(route, describer),
    responses: { ...describeSuccess(route, describer), ...describeErrors(route) },
  };
}

/** The text of the declaration, and who may call. */
function descriptionOf(route: Route): string {
  const { description } = route;
  if (route.roles === undefined) return description;
  const roles = `Roles: ${route.roles.join(', ')}.`;
  const operator = route.operator === true ? ' Only for the organization that operates the service.' : '';
  return `${description}\n\n${roles}${operator}`;
}

function describeRequestBody(route: Route, { schemas }: Describer): JsonObject {
  const { body } = route;
  if (body.kind === 'none') return {};
  const isJson = body.kind === 'json';
  const contentType = isJson ? 'application/json' : body.contentType;
  const content = describeContent(schemas, body.schema, 'input', route.requestExample);
  // Generators make a call without a body where a content type has no schema, and one that takes no file without the format.
  const file = isJson ? {} : { schema: { type: 'string', format: 'binary', contentMediaType: contentType } };
  return { requestBody: { required: true, content: { [contentType]: { ...file, ...content } } } };
}

/** @param example overrides the example of the schema */
function describeContent(
  schemas: SchemaComponents,
  schema: z.ZodType | undefined,
  io: 'input' | 'output',
  example: JsonValue | undefined,
): JsonObject {
  const chosen = example ?? (schema === undefined ? undefined : schemas.exampleOf(schema));
  return {
    ...(schema === undefined ? {} : { schema: schemas.describe(schema, io) }),
    ...(chosen === undefined ? {} : { example: chosen }),
  };
}

function describeFile(schemas: SchemaComponents, { attachment = '', file }: Success): JsonObject {
  if (file === undefined) return {};
  if (typeof file !== 'string') return describeContent(schemas, file, 'output', undefined);
  // Generators read bytes as text without it.
  const format = attachment.startsWith('text/') ? {} : { format: 'binary' };
  return { schema: { type: 'string', ...format }, example: file };
}

/** The example of an answer where its route names members that differ from the example of the schema. */
function answerExample({ schema, example }: Success, schemas: SchemaComponents): JsonObject | undefined {
  if (schema === undefined || example === undefined) return undefined;
  return { ...(schemas.exampleOf(schema) as JsonObject | undefined), ...example };
}

function describeSuccess(route: Route, { schemas }: Describer): JsonObject {
  const { success } = route;
  const content = {
    ...(success.schema === undefined
      ? {}
      : {
          'application/json': describeContent(
            schemas,
            success.schema,
            'output',
            answerExample(success, schemas),
          ),
        }),
    ...(success.attachment === undefined ? {} : { [success.attachment]: describeFile(schemas, success) }),
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
