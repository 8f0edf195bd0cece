// Free of zod, so that pages and the client library can import it.

/** The statuses of errors. */
export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 429 | 500 | 503;

interface ErrorFacts {
  readonly status: ErrorStatus;
  readonly meaning: string;
}

/** The status of each code, apart from the meanings, which the client library does without. */
export const ERROR_STATUSES = {
  bad_request: 400,
  unauthorized: 401,
  session_required: 401,
  membership_ended: 401,
  organization_required: 401,
  payment_required: 402,
  forbidden: 403,
  workspace_paused: 403,
  workspace_disconnected: 403,
  claim_required: 403,
  product_not_enabled: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_conflict: 409,
  revision_conflict: 409,
  acknowledgment_conflict: 409,
  state_conflict: 409,
  upload_conflict: 409,
  gone: 410,
  expired: 410,
  erased: 410,
  cancelled: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  limit_reached: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

/** Every code of an error. */
export type ErrorCode = keyof typeof ERROR_STATUSES;

export const ERROR_CODES = /* @__PURE__ */ Object.keys(ERROR_STATUSES) as ErrorCode[];

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request does not match the interface.',
  unauthorized: 'The credential is missing, malformed, ended or unknown.',
  session_required: 'The request needs an open session.',
  membership_ended: 'The person of the session no longer belongs to its organization.',
  organization_required: 'The person of the session belongs to no organization.',
  payment_required: 'A live key needs an active subscription.',
  forbidden: 'The caller may not do this.',
  workspace_paused: 'The owner paused the workspace; it works again after a resume.',
  workspace_disconnected: 'The owner disconnected the workspace for good.',
  claim_required: 'A human has to claim the workspace first.',
  product_not_enabled: 'The workspace was created without this product.',
  origin_not_allowed: 'The origin of the page is not allowed here.',
  not_found: 'The resource does not exist for this caller.',
  method_not_allowed: 'The path exists, the method does not.',
  conflict: 'The request contradicts stored data.',
  idempotency_conflict: 'The idempotency key was used with other input.',
  revision_conflict: 'The revision is not the next one.',
  acknowledgment_conflict: 'The acknowledgment is incomplete or differs from the batch.',
  state_conflict: "Not allowed in the resource's current state.",
  upload_conflict: 'The bytes differ from the announced ones.',
  gone: 'The resource no longer exists.',
  expired: 'The resource has expired.',
  erased: 'The owner erased the resource.',
  cancelled: 'The resource was cancelled.',
  payload_too_large: 'The body is larger than allowed here.',
  unsupported_media_type: 'The content type is not accepted here.',
  rate_limited: 'Too many requests in a short time.',
  limit_reached: 'A limit of the plan is used up.',
  internal_error: 'The service failed; the request may be correct.',
  unavailable: 'The service cannot give a certain answer now; send the same request again.',
};

/**
 * The one registry of error codes. OpenAPI, the documentation's table and every refusal are made from it; a code that
 * is not here cannot be answered.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorFacts>> = /* @__PURE__ */ factsOfCodes();

function factsOfCodes(): Readonly<Record<ErrorCode, ErrorFacts>> {
  const facts = ERROR_CODES.map((code) => [code, { status: ERROR_STATUSES[code], meaning: MEANINGS[code] }]);
  return Object.fromEntries(facts) as Record<ErrorCode, ErrorFacts>;
}

const RETRIABLE: readonly string[] = [
  'workspace_paused',
  'rate_limited',
  'internal_error',
  'unavailable',
] satisfies ErrorCode[];

/** True for the code of an error after which the same request, sent again unchanged, can succeed. */
export function isRetriable(code: string): boolean {
  return RETRIABLE.includes(code);
}
