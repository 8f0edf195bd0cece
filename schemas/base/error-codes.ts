// Free of zod, so that pages and the client library can import it.

/** The statuses of errors. */
export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 429 | 500 | 503;

interface ErrorFacts {
  readonly status: ErrorStatus;
  readonly meaning: string;
}

/**
 * The one registry of error codes. OpenAPI, the documentation's table and every refusal are made from it; a code that
 * is not here cannot be answered.
 */
export const ERRORS = {
  bad_request: { status: 400, meaning: 'The request does not match the interface.' },
  unauthorized: { status: 401, meaning: 'The credential is missing, malformed, ended or unknown.' },
  session_required: { status: 401, meaning: 'The request needs an open session.' },
  membership_ended: {
    status: 401,
    meaning: 'The person of the session no longer belongs to its organization.',
  },
  organization_required: { status: 401, meaning: 'The person of the session belongs to no organization.' },
  payment_required: { status: 402, meaning: 'A live key needs an active subscription.' },
  forbidden: { status: 403, meaning: 'The caller may not do this.' },
  workspace_paused: {
    status: 403,
    meaning: 'The owner paused the workspace; it works again after a resume.',
  },
  workspace_disconnected: { status: 403, meaning: 'The owner disconnected the workspace for good.' },
  claim_required: { status: 403, meaning: 'A human has to claim the workspace first.' },
  product_not_enabled: { status: 403, meaning: 'The workspace was created without this product.' },
  origin_not_allowed: { status: 403, meaning: 'The origin of the page is not allowed here.' },
  not_found: { status: 404, meaning: 'The resource does not exist for this caller.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, the method does not.' },
  conflict: { status: 409, meaning: 'The request contradicts stored data.' },
  idempotency_conflict: { status: 409, meaning: 'The idempotency key was used with other input.' },
  revision_conflict: { status: 409, meaning: 'The revision is not the next one.' },
  acknowledgment_conflict: {
    status: 409,
    meaning: 'The acknowledgment is incomplete or differs from the batch.',
  },
  state_conflict: { status: 409, meaning: "Not allowed in the resource's current state." },
  upload_conflict: { status: 409, meaning: 'The bytes differ from the announced ones.' },
  gone: { status: 410, meaning: 'The resource no longer exists.' },
  expired: { status: 410, meaning: 'The resource has expired.' },
  erased: { status: 410, meaning: 'The owner erased the resource.' },
  cancelled: { status: 410, meaning: 'The resource was cancelled.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than allowed here.' },
  unsupported_media_type: { status: 415, meaning: 'The content type is not accepted here.' },
  rate_limited: { status: 429, meaning: 'Too many requests in a short time.' },
  limit_reached: { status: 429, meaning: 'A limit of the plan is used up.' },
  internal_error: { status: 500, meaning: 'The service failed; the request may be correct.' },
  unavailable: {
    status: 503,
    meaning: 'The service cannot give a certain answer now; send the same request again.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>;

/** Every code of an error. */
export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

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
