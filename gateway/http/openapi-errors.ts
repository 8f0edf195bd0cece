import { ERRORS, type ErrorCode, errorEnvelopeSchema } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { isoTimeSchema } from '../../schemas/base/time.ts';
import { roleSchema } from '../../schemas/organizations/documents.ts';
import { hasProduct } from '../../schemas/products.ts';
import { concernsWorkspace, isConsoleRoute } from './checks.ts';
import { nameSchema } from './documentation.ts';
import { EXAMPLES } from './example-values.ts';
import { QUOTA_HEADERS, REQUEST_ID_HEADER, RETRY_AFTER_HEADER } from './openapi-headers.ts';
import { needsCredential } from './openapi-security.ts';
import type { Route } from './route.ts';
import { pathParameters } from './route-table.ts';

/** Schemas that no product owns: the error, and values that every product has. */
export const BASE_SCHEMAS = [
  nameSchema(
    'Error',
    errorEnvelopeSchema,
    'The body of every answer with a status of 400 or more.',
    { error: { code: 'not_found', message: ERRORS.not_found.meaning, request_id: EXAMPLES.requestId } },
    { error: 'The code is for programs, the message for people.' },
  ),
  nameSchema(
    'ErrorDetail',
    errorEnvelopeSchema.shape.error,
    'A code with a sentence about it.',
    { code: 'not_found', message: ERRORS.not_found.meaning, request_id: EXAMPLES.requestId },
    {
      code: 'A stable code for programs. It determines the status.',
      message:
        'A sentence for people. It names the field and what is allowed, and repeats no value. It may change.',
      request_id: 'The request, as in the header `X-Request-Id`. Quote it when you ask for help.',
    },
  ),
  nameSchema(
    'Timestamp',
    isoTimeSchema,
    'A time in UTC: ISO 8601 with `Z`, and milliseconds in answers.',
    EXAMPLES.at,
  ),
];

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
    [route.roles !== undefined && route.roles.length < roleSchema.options.length, ['forbidden']],
    [route.rate !== 'none', ['rate_limited']],
    [isConsoleRoute(route) && route.method !== 'GET', ['origin_not_allowed']],
    [route.cors !== undefined, ['origin_not_allowed']],
    [route.sameHost === true, ['origin_not_allowed', 'forbidden']],
    [concernsWorkspace(route) && route.whenEnded !== 'allowed', ['expired', 'workspace_disconnected']],
    [route.whenPaused === 'refused', ['workspace_paused']],
    [route.product !== undefined && !hasProduct([], route.product), ['product_not_enabled']],
    [pathParameters(route).length > 0 || route.operator === true, ['not_found']],
    [route.body.kind !== 'none', ['unsupported_media_type', 'payload_too_large']],
    [route.idempotencyHeader === true, ['idempotency_conflict']],
  ];
  const codes = implied.filter(([applies]) => applies).flatMap(([, implies]) => implies);
  return [...new Set([...codes, ...route.errors])].sort();
}

/** The error answers of a route by status, as references to {@link errorComponents}. */
export function describeErrors(route: Route): JsonObject {
  const entries = errorResponses(route).map(({ status, name }) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  return Object.fromEntries(entries);
}

/** The error answers of all routes. Routes that can answer the same codes share one. */
export function errorComponents(routes: readonly Route[]): JsonObject {
  const responses = routes.flatMap((route) => errorResponses(route));
  const named = responses.map(({ name, codes, quota }) => [name, describeError(codes, quota)] as const);
  return Object.fromEntries([...new Map(named)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface ErrorResponse {
  readonly status: number;
  /** The codes in words: `ConflictOrStateConflict`. */
  readonly name: string;
  readonly codes: readonly ErrorCode[];
  readonly quota: boolean;
}

function errorResponses(route: Route): ErrorResponse[] {
  const all = errorCodes(route);
  const statuses = [...new Set(all.map((code) => ERRORS[code].status))].sort();
  return statuses.map((status) => {
    const codes = all.filter((code) => ERRORS[code].status === status);
    const quota = route.quotaHeaders === true && status === 429;
    return { status, name: `${codes.map(inWords).join('Or')}${quota ? 'WithQuota' : ''}`, codes, quota };
  });
}

function inWords(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function describeError(codes: readonly ErrorCode[], quota: boolean): JsonObject {
  const waits = codes.some((code) => ERRORS[code].status === 429 || ERRORS[code].status === 503);
  // Named again, because some tools take the members of one branch for all that there are.
  const text = { message: { type: 'string' }, request_id: { type: 'string' } };
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    properties: {
      error: { type: 'object', properties: { ...text, code: { type: 'string', enum: [...codes] } } },
    },
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
    headers: {
      ...REQUEST_ID_HEADER,
      ...(waits ? RETRY_AFTER_HEADER : {}),
      ...(quota ? QUOTA_HEADERS : {}),
    },
    content: { 'application/json': { schema, examples: examplesOf(codes) } },
  };
}

function examplesOf(codes: readonly ErrorCode[]): JsonObject {
  const examples = codes.map((code) => [
    code,
    { value: { error: { code, message: ERRORS[code].meaning, request_id: EXAMPLES.requestId } } },
  ]);
  return Object.fromEntries(examples);
}
