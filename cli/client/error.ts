import { type ErrorCode, isRetriable } from '../../schemas/base/error-codes.ts';

/** Codes of the service (its documentation lists them under "Errors"), then those that this library gives itself. */
export type SvcErrorCode =
  | ErrorCode
  /** The connection failed or broke. The request may have arrived. */
  | 'no_answer'
  /** There was no answer before the deadline. The request may have arrived. */
  | 'timeout'
  /** The answer is not of the service: a proxy may have given it. */
  | 'unexpected_answer'
  /** A batch is not what its id says. */
  | 'batch_mismatch'
  /** The queue of this process is full. */
  | 'queue_full';

/**
 * The one error of this library. Its message, its fields and its stack never hold a credential, and it keeps no cause that
 * could.
 */
export class SvcError extends Error {
  readonly code: SvcErrorCode;
  /** The HTTP status, or null without an answer. */
  readonly status: number | null;
  /** The request id of the answer, to quote when asking for help; or null. */
  readonly requestId: string | null;
  /** True if the same request, sent again unchanged, can succeed. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the request is sent again, as the service asked; or null. */
  readonly retryAfterMs: number | null;

  constructor(
    code: SvcErrorCode,
    message: string,
    {
      status = null,
      requestId = null,
      retryAfterMs = null,
    }: {
      readonly status?: number | null;
      readonly requestId?: string | null;
      readonly retryAfterMs?: number | null;
    } = {},
  ) {
    super(message);
    this.name = 'SvcError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryable = isRetriable(code) || RETRYABLE.includes(code) || (status ?? 0) >= 500;
    this.retryAfterMs = retryAfterMs;
  }
}

const RETRYABLE: readonly SvcErrorCode[] = ['no_answer', 'timeout', 'queue_full'];
