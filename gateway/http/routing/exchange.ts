import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { traceIdOf } from '../../../schemas/base/traceparent.ts';
import type { Span } from '../../../topics/ports/tracer.ts';
import type { Principal, PrincipalKind } from '../../principals.ts';
import type { PageMethods } from '../browsers/cors.ts';
import type { Attachment, Route } from './route.ts';

/** One request and its answer, from the first look at it to the log line. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /**
   * Made here for every request; an inbound one is ignored (infra/docs/reference/README.md#a-request-and-its-answer).
   */
  readonly requestId: string;
  /** From the arrival until the connection has taken the answer. */
  readonly span: Span;
  /** Headers that every answer of this host carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stands for the caller's address in counter keys. */
  readonly addressKey: () => string;
  /** Notes that the credential of the request was accepted. */
  readonly accepted: (principal: Principal<PrincipalKind>) => void;
  /** Methods that the path knows, filled while a request matches paths and no method. */
  readonly allowedMethods: Set<string>;
  /** The methods of this host that pages of other origins may use. */
  readonly pageMethods: PageMethods;
  /** Headers that tell a browser which pages may read the answer. */
  cors: Readonly<Record<string, string>>;
  /** True if `100 Continue` was sent to a caller that waits for it before it sends its body. */
  continued: boolean;
  /** The route that matched. */
  route: Route | null;
  /** The code of the error in the answer. */
  error: ErrorCode | null;
  /** The kind of the caller, once that is known. */
  principal: PrincipalKind | null;
  /** The caller's id in the log line, so that a support case can be followed. */
  caller: string | null;
  workspace: string | null;
}

/** Returns the names by which a line of the log leads to its request. */
export function namesOf({ requestId, span, route }: Pick<Exchange, 'requestId' | 'span' | 'route'>) {
  return { requestId, traceId: traceIdOf(span.traceparent), route: route?.name ?? null };
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonObject | undefined;
  readonly attachment?: Attachment | undefined;
  /** The bytes of a page or one of its files. The headers name their type. */
  readonly bytes?: Uint8Array | undefined;
  /** The values of `Set-Cookie`, where there is more than one. */
  readonly cookies?: readonly string[] | undefined;
}

/** An unread body up to this size is read to its end, so that the connection can be used again. */
const UNREAD_KEPT_BYTES_MAX = 64 * 1_024;
/** The maximum time for the rest of such a body. */
const UNREAD_KEPT_MS = 2 * MINUTE_MS;
/**
 * The number of bytes of a longer one that are read and dropped before the connection is closed. Many libraries read the answer
 * only after they have sent the whole body.
 */
const LINGER_BYTES_MAX = 16 * 1_024 * 1_024;
/** The maximum pause of such a body, and the maximum time for all of it. */
const LINGER_QUIET_MS = 1_000;
const LINGER_MS = 10_000;

/** The parts of an exchange that an answer needs. */
type Answering = Pick<Exchange, 'request' | 'response' | 'requestId' | 'headers' | 'cors' | 'continued'>;

/** Writes the answer, unless there is one already or the connection is gone. */
export function sendAnswer(exchange: Answering, answer: WholeAnswer): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const { payload, headers } = contentOf(answer);
  const unread = unreadBody(exchange);
  response.writeHead(answer.status, {
    ...exchange.headers,
    ...exchange.cors,
    'X-Request-Id': exchange.requestId,
    ...headers,
    ...(BODILESS.includes(answer.status)
      ? {}
      : { 'Content-Length': String(Buffer.byteLength(payload ?? '')) }),
    ...answer.headers,
    ...(answer.cookies === undefined ? {} : { 'Set-Cookie': [...answer.cookies] }),
    ...(unread === 'long' ? { Connection: 'close' } : {}),
  });
  if (unread === 'long') lingerThenEnd(exchange, payload);
  else {
    if (unread === 'short') dropRest(request);
    response.end(payload);
  }
}

/** Statuses whose answers end with their headers (RFC 9110, 6.4.1). */
const BODILESS: readonly number[] = [204, 304];

interface Content {
  /** Text where it can be: Node sends text together with the headers, and bytes in a separate piece. */
  readonly payload: string | Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

function contentOf({ body, attachment, bytes }: WholeAnswer): Content {
  if (bytes !== undefined) return { payload: bytes, headers: {} };
  if (attachment !== undefined) {
    const { contentType, fileName } = attachment;
    const isText = 'text' in attachment;
    return {
      payload: isText ? attachment.text : attachment.bytes,
      headers: {
        'Content-Type': isText ? `${contentType}; charset=utf-8` : contentType,
        ...(fileName === null ? {} : { 'Content-Disposition': `attachment; filename="${fileName}"` }),
      },
    };
  }
  if (body === undefined) return { payload: null, headers: {} };
  return {
    payload: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

/** True if a body has been announced; a request without one has nothing to refuse or to drain. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

/** Tells a caller that waits for it (`Expect: 100-continue`) that its body is wanted. */
export function askForBody(exchange: Pick<Exchange, 'request' | 'response' | 'continued'>): void {
  if (exchange.continued || !awaitsContinue(exchange.request)) return;
  exchange.continued = true;
  exchange.response.writeContinue();
}

function awaitsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

function unreadBody({ request, continued }: Answering): 'none' | 'short' | 'long' {
  if (request.complete || !hasBody(request)) return 'none';
  // A caller that was not told to continue may leave its body out: what comes next could be either.
  if (awaitsContinue(request) && !continued) return 'long';
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return length <= UNREAD_KEPT_BYTES_MAX ? 'short' : 'long';
}

/** Reads the rest of a short body, so that the connection can be used again; cuts off a caller that does not send it. */
function dropRest(request: IncomingMessage): void {
  const cut = setTimeout(() => request.destroy(), UNREAD_KEPT_MS);
  const settle = (): void => clearTimeout(cut);
  request.once('end', settle).once('close', settle);
  request.resume();
}

/**
 * Sends the answer, then reads for a while before it closes the connection (RFC 9112, 9.6). Closing with unread bytes
 * makes the system reset the connection, and a caller that is still sending would lose the answer.
 */
function lingerThenEnd({ request, response }: Answering, payload: Content['payload']): void {
  if (payload === null) response.flushHeaders();
  else response.write(payload);
  let dropped = 0;
  const end = () => {
    clearTimeout(whole);
    clearTimeout(quiet);
    request.off('data', drop).off('end', end).off('close', end);
    response.end();
  };
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES_MAX) end();
    else quiet.refresh();
  };
  const whole = setTimeout(end, LINGER_MS);
  const quiet = setTimeout(end, LINGER_QUIET_MS);
  request.on('data', drop).on('end', end).on('close', end);
  request.resume();
}
