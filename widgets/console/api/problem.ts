import { isRetriable } from '../../../schemas/base/error-codes.ts';
import type { Schemas } from './interface.ts';

export type ErrorCode = Schemas['ErrorDetail']['code'];

interface ProblemFacts {
  readonly code: ErrorCode | 'unreachable';
  readonly status: number;
  readonly message: string;
  readonly requestId: string | null;
  /** The seconds after which the same request may be sent again; null if the answer did not say. */
  readonly retryAfterSeconds: number | null;
}

/** An answer that is an error, or no answer. Its `code` is from the service's list, or `unreachable`. */
export class Problem extends Error {
  readonly code: ProblemFacts['code'];
  /** 0 if there was no answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(facts: ProblemFacts) {
    super(facts.message);
    this.name = 'Problem';
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }

  /** True if the same request, sent again unchanged, can succeed. */
  get isRetriable(): boolean {
    return this.code === 'unreachable' || isRetriable(this.code);
  }
}

/** Turns the error of a request into a problem: the browser throws a `TypeError` where no answer arrives. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError || error instanceof DOMException) {
    return new Problem({
      code: 'unreachable',
      status: 0,
      message: 'The service did not answer.',
      requestId: null,
      retryAfterSeconds: null,
    });
  }
  throw error;
}

/** Reads the error envelope of an answer. An answer without an envelope, such as a page of a proxy, keeps its status. */
export function problemFrom(response: Response, body: unknown): Problem {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const shared = {
    status: response.status,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
  if (isEnvelope(body)) {
    const { code, message, request_id } = body.error;
    return new Problem({ ...shared, code, message, requestId: request_id });
  }
  return new Problem({
    ...shared,
    code: 'unreachable',
    message: `Something between this page and the service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id'),
  });
}

function isEnvelope(body: unknown): body is Schemas['Error'] {
  return typeof body === 'object' && body !== null && 'error' in body;
}
