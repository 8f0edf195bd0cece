import { z } from 'zod';
import { ERRORS, type ErrorCode, errorEnvelopeSchema } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import { roleSchema } from '../../schemas/organizations/documents.ts';
import { type Credential, PRINCIPALS } from '../principals.ts';
import { concernsWorkspace, isConsoleRoute } from './checks.ts';
import { jsonSchema } from './json-schema.ts';
import type { Route } from './route.ts';
import { pathParameters } from './route-table.ts';
import type { Hosts } from './services.ts';

/** Version of the interface as a whole; each product's contract has its own in its bodies. */
const INTERFACE_VERSION = '1.0.0';

/** What the description depends on beside the routes: an operator's settings. */
export interface InterfaceSettings {
  readonly hosts: Hosts;
  readonly limits: Limits;
}

/**
 * Describes routes as an OpenAPI 3.1 document. Everything in it comes from the declarations that also make the router
 * and the checks, so that it cannot say anything else than what is served.
 */
export function describeInterface(routes: readonly Route[], settings: InterfaceSettings): JsonObject {
  const { hosts, limits } = settings;
  const paths: Record<string, JsonObject> = {};
  const responses = Object.fromEntries(routes.flatMap((route) => describeErrorResponses(route)));
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, settings) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version: INTERFACE_VERSION },
    servers: [{ url: hosts.base }],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorEnvelopeSchema, 'output', limits) },
      responses,
      headers: HEADERS,
      securitySchemes: describeSecurity(hosts),
    },
  };
}

/**
 * The error codes that a route can answer: those that follow from its rules, and those that it declares itself.
 * 404 and 405 for paths and methods that do not exist belong to no route.
 */
export function errorCodes(route: Route): ErrorCode[] {
  // It makes its own checks, and so declares all that they can answer.
  if (route.direct !== undefined) return [...route.errors].sort();
  const implied: [boolean, ErrorCode[]][] = [
    [true, ['bad_request', 'internal_error', 'unavailable']],
    [needsCredential(route), ['unauthorized']],
    [route.rate !== 'none', ['rate_limited']],
    [isConsoleRoute(route) && route.method !== 'GET', ['origin_not_allowed']],
    [route.cors !== undefined, ['origin_not_allowed']],
    [route.roles !== undefined && route.roles.length < roleSchema.options.length, ['forbidden']],
    [concernsWorkspace(route) && route.whenEnded !== 'allowed', ['expired', 'workspace_disconnected']],
    [route.whenPaused === 'refused', ['workspace_paused']],
    [route.product !== undefined, ['product_not_enabled']],
    [pathParameters(route).length > 0, ['not_found']],
    [route.body.kind !== 'none', ['unsupported_media_type', 'payload_too_large']],
    [route.idempotencyHeader === true, ['idempotency_conflict']],
  ];
  const codes = implied.filter(([applies]) => applies).flatMap(([, implies]) => implies);
  return [...new Set([...codes, ...route.errors])].sort();
}

function needsCredential(route: Route): boolean {
  return PRINCIPALS[route.principal].credential.form !== 'none';
}

function describeOperation(route: Route, settings: InterfaceSettings): JsonObject {
  const { hosts } = settings;
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.host === 'any' ? {} : { servers: [{ url: hosts[route.host] }] }),
    security: needsCredential(route) ? [{ [route.principal]: [] }] : [],
    parameters: describeParameters(route, settings),
    ...describeRequestBody(route, settings),
    responses: { ...describeSuccess(route, settings), ...describeErrors(route) },
  };
}

function describeParameters(route: Route, { hosts, limits }: InterfaceSettings): JsonObject[] {
  const path = memberSchemas(route.params, limits).map(({ name, schema }) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));
  const query = memberSchemas(route.query, limits).map(({ name, required, schema }) => ({
    name,
    in: 'query',
    required,
    schema,
  }));
  return [
    ...path,
    ...query,
    ...describeOrigin(route, hosts),
    ...(route.signed === true ? [SVC_SIGNATURE] : []),
    ...(route.idempotencyHeader === true ? [idempotencyKey(route)] : []),
    ...(route.success.etag === true ? [IF_NONE_MATCH] : []),
  ];
}

/** The page that a browser calls from: the console's own, or that of the session. */
function describeOrigin(route: Route, hosts: Hosts): JsonObject[] {
  const changes = route.method !== 'GET';
  if (isConsoleRoute(route)) {
    const schema = { type: 'string', const: new URL(hosts.console).origin };
    return changes ? [originHeader(true, "The console's own origin.", schema)] : [];
  }
  if (route.cors === undefined) return [];
  const meaning =
    'The origin that the session is bound to; browsers leave it out of a GET to their own origin.';
  const required = changes && PRINCIPALS[route.principal].pages === 'always';
  return [originHeader(required, meaning, { type: 'string', minLength: 1 })];
}

function originHeader(required: boolean, description: string, schema: JsonObject): JsonObject {
  return { name: 'Origin', in: 'header', required, description, schema };
}

const SVC_SIGNATURE: JsonObject = {
  name: 'Svc-Signature',
  in: 'header',
  required: true,
  description:
    'The time in Unix seconds and the HMAC-SHA256, in hexadecimal, of that time, a dot and the bytes of the body.',
  schema: { type: 'string', pattern: '^t=[0-9]{1,12},v1=[0-9a-f]{64}$' },
};

function idempotencyKey({ idempotencyCharactersMin: minLength }: Route): JsonObject {
  // Blanks at its ends are no part of a header's value.
  const pattern = '^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,126}[\\x21-\\x7e])?$';
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a repeat of the request answer like the first; where the body has none.',
    schema: { type: 'string', ...(minLength === undefined ? {} : { minLength }), pattern },
  };
}

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the answer that the caller has; 304 says that it is still the same.',
  schema: { type: 'string' },
};

function memberSchemas(schema: z.ZodType | undefined, limits: Limits) {
  if (schema === undefined) return [];
  const described = z
    .object({
      properties: z.record(z.string(), z.custom<JsonObject>()).optional(),
      required: z.array(z.string()).optional(),
    })
    .parse(jsonSchema(schema, 'input', limits));
  return Object.entries(described.properties ?? {}).map(([name, member]) => ({
    name,
    required: described.required?.includes(name) === true,
    schema: member,
  }));
}

function describeRequestBody(route: Route, { limits }: InterfaceSettings): JsonObject {
  switch (route.body.kind) {
    case 'none':
      return {};
    case 'json':
      return requestBody('application/json', jsonSchema(route.body.schema, 'input', limits));
    case 'stream':
      return requestBody(
        route.body.contentType,
        route.body.schema === undefined ? {} : jsonSchema(route.body.schema, 'input', limits),
      );
  }
}

function requestBody(contentType: string, schema: JsonObject): JsonObject {
  return { requestBody: { required: true, content: { [contentType]: { schema } } } };
}

function describeSuccess(route: Route, { limits }: InterfaceSettings): JsonObject {
  const { success } = route;
  const content = {
    ...(success.schema === undefined
      ? {}
      : { 'application/json': { schema: jsonSchema(success.schema, 'output', limits) } }),
    ...(success.attachment === undefined ? {} : { [success.attachment]: {} }),
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
    ...(success.etag === true ? { 304: { description: 'The caller has this answer already', headers } } : {}),
  };
}

/** One response a status. Routes that can answer the same codes share its description. */
function describeErrors(route: Route): JsonObject {
  const entries = errorResponses(route).map(({ status, name }) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  return Object.fromEntries(entries);
}

function describeErrorResponses(route: Route): [string, JsonObject][] {
  return errorResponses(route).map(({ name, codes, quota }) => [name, describeError(codes, quota)]);
}

/** The statuses of a route's errors, with the codes that each can carry. */
function errorResponses(
  route: Route,
): { status: number; name: string; codes: ErrorCode[]; quota: boolean }[] {
  const all = errorCodes(route);
  const statuses = [...new Set(all.map((code) => ERRORS[code].status))].sort();
  return statuses.map((status) => {
    const codes = all.filter((code) => ERRORS[code].status === status);
    const quota = route.quotaHeaders === true && status === 429;
    return { status, name: [...codes, ...(quota ? ['quota'] : [])].join('.'), codes, quota };
  });
}

function describeError(codes: readonly ErrorCode[], quota: boolean): JsonObject {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { error: { type: 'object', properties: { code: { enum: [...codes] } } } },
  };
  const waits = codes.some((code) => ERRORS[code].status === 429 || ERRORS[code].status === 503);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
    headers: {
      ...REQUEST_ID_HEADER,
      ...(waits ? RETRY_AFTER_HEADER : {}),
      ...(quota ? QUOTA_HEADERS : {}),
    },
    content: { 'application/json': { schema } },
  };
}

const REQUEST_ID: JsonObject = {
  description: 'Names this request in logs and error answers.',
  required: true,
  schema: { type: 'string', pattern: '^req_[0-9A-Za-z]{24}$' },
};

const REQUEST_ID_HEADER = refersToHeader('X-Request-Id');

const ETAG: JsonObject = {
  description: 'Names this answer, for If-None-Match.',
  required: true,
  schema: { type: 'string' },
};

const ETAG_HEADER = refersToHeader('ETag');

const RETRY_AFTER: JsonObject = {
  description: 'Seconds to wait, where waiting helps.',
  required: false,
  schema: { type: 'integer', minimum: 1 },
};

const RETRY_AFTER_HEADER = refersToHeader('Retry-After');

const RATE_LIMIT_POLICY: JsonObject = {
  description:
    'The quotas of the key, as draft-ietf-httpapi-ratelimit-headers writes them: `q` calls in `w` seconds.',
  required: true,
  schema: { type: 'string' },
};

const RATE_LIMIT: JsonObject = {
  description: 'What is left of these quotas: `r` calls, and `t` seconds until they start again.',
  required: true,
  schema: { type: 'string' },
};

const QUOTA_HEADERS = { ...refersToHeader('RateLimit-Policy'), ...refersToHeader('RateLimit') };

const HEADERS: JsonObject = {
  'X-Request-Id': REQUEST_ID,
  ETag: ETAG,
  'Retry-After': RETRY_AFTER,
  'RateLimit-Policy': RATE_LIMIT_POLICY,
  RateLimit: RATE_LIMIT,
};

function refersToHeader(name: string): JsonObject {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}

function describeSecurity(hosts: Hosts): JsonObject {
  const schemes = Object.entries(PRINCIPALS).map(([kind, { credential, description }]) => [
    kind,
    describeCredential(credential, description, hosts),
  ]);
  return Object.fromEntries(schemes.filter(([, scheme]) => scheme !== null));
}

function describeCredential(credential: Credential, description: string, hosts: Hosts): JsonObject | null {
  switch (credential.form) {
    case 'none':
      return null;
    case 'bearer':
      return { type: 'http', scheme: 'bearer', bearerFormat: credential.format, description };
    case 'session-cookie': {
      const name = hosts.console.startsWith('https:') ? '__Host-svc_session' : 'svc_session';
      return { type: 'apiKey', in: 'cookie', name, description };
    }
  }
}
