import { channel } from 'node:diagnostics_channel';
import { ERRORS } from '../../schemas/base/error-codes.ts';
import { type Refusal, refusal, ServiceError } from '../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Hosts } from '../services.ts';
import { ERRORS_PATH } from './pages/docs.ts';
import type { WholeAnswer } from './routing/exchange.ts';

/** The wait before a caller tries again while an engine is down. */
const UNAVAILABLE_RETRY_SECONDS = 1;

/**
 * The refusal that a thrown error stands for, or null for an unexpected error. An unexpected error is the service's
 * fault: it is answered with `internal_error` and logged.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ServiceError) return error.refusal;
  if (error instanceof EngineUnavailableError) {
    return refusal('unavailable', ERRORS.unavailable.meaning, UNAVAILABLE_RETRY_SECONDS);
  }
  // The router throws it for a path that is not UTF-8 in percent escapes.
  if (error instanceof URIError) {
    return refusal('bad_request', { at: 'path', seen: 'a wrong percent encoding', expected: 'UTF-8' });
  }
  return null;
}

export const INTERNAL_ERROR: Refusal = refusal('internal_error', ERRORS.internal_error.meaning);

/** The diagnostics channel that gets every {@link Refusal} when it becomes an answer. */
export const REFUSALS_ANSWERED = 'svc:refusals-answered';
const answered = channel(REFUSALS_ANSWERED);

/** Counts a refusal that becomes an answer, or a part of one. */
export function noteRefusal(refused: Refusal): void {
  if (answered.hasSubscribers) answered.publish(refused);
}

/**
 * The error envelope (infra/docs/errors.md). No cache may keep an error: it can be over the next moment. The link to the
 * documentation of the code is a header (RFC 8288), because the envelope has exactly three members.
 */
export function failureAnswer(
  refused: Refusal,
  requestId: string,
  { base }: Pick<Hosts, 'base'>,
): WholeAnswer {
  const { code, message, retryAfterSeconds } = refused;
  noteRefusal(refused);
  return {
    status: ERRORS[code].status,
    headers: {
      'Cache-Control': 'no-store',
      Link: `<${base}${ERRORS_PATH}#${code}>; rel="help"`,
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: { error: { code, message, request_id: requestId } },
  };
}
