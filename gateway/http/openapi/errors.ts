import { ERRORS, type ErrorCode } from '../../../schemas/base/error-codes.ts';
import { EXAMPLES } from '../../../schemas/base/examples.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { roleSchema } from '../../../schemas/organizations/documents.ts';
import { hasProduct } from '../../../schemas/products.ts';
import { concernsWorkspace, isConsoleRoute, isForPeople } from '../guards.ts';
import { pathParameters } from '../routing/path-parameters.ts';
import type { Route } from '../routing/route.ts';
import { HELP_HEADER, QUOTA_HEADERS, REQUEST_ID_HEADER, RETRY_AFTER_HEADER } from './headers.ts';
import { needsCredential } from './security.ts';

/** The answers to a caller whose session does not count. */
const SESSION_CODES: ErrorCode[] = ['session_required', 'membership_ended', 'organization_required'];

/**
 * The error codes that a route can answer: those that follow from its rules, and those that it declares itself.
 * 404 and 405 for paths and methods that do not exist belong to no route.
 */
export function errorCodes(route: Route): ErrorCode[] {
  // It makes its own checks, and so declares all that they can answer.
  if (route.direct !== undefined) return [...route.errors].sort();
  const implied: [boolean, ErrorCode[]][] = [
    [true, ['bad_request', 'internal_error', 'unavailable']],
    [needsCredential(route), isForPeople(route) ? SESSION_CODES : ['unauthorized']],
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
      ...HELP_HEADER,
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
