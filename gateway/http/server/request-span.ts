import type { IncomingMessage } from 'node:http';
import { readTraceparent } from '../../../schemas/base/traceparent.ts';
import { NO_SPAN, type Span, type Tracer } from '../../../topics/ports/tracer.ts';
import { singleHeader } from '../headers.ts';
import type { Exchange } from '../routing/exchange.ts';

/** The first status with which the server reports a failure that is not the fault of the request. */
export const SERVER_ERRORS = 500;

/** Opens the span of a request. It continues the trace of the caller if its `traceparent` is valid. */
export function openRequestSpan(
  tracer: Tracer | undefined,
  request: Pick<IncomingMessage, 'method' | 'headersDistinct'>,
  requestId: string,
): Span {
  if (tracer === undefined) return NO_SPAN;
  const { method = '' } = request;
  const parent = readTraceparent(singleHeader(request, 'traceparent') ?? '');
  return tracer.start(method, 'server', parent, {
    'http.request.method': method,
    'svc.request_id': requestId,
  });
}

/** Ends the span of a request with its route and its status. No status: the caller went away before an answer. */
export function closeRequestSpan({ span, route, response, error }: Exchange): void {
  if (span === NO_SPAN) return;
  if (error !== null) span.set({ 'error.type': error });
  if (route !== null) {
    span.rename(`${route.method} ${route.path}`);
    span.set({ 'http.route': route.path, 'svc.operation': route.name });
    if (route.product !== undefined) span.set({ 'svc.product': route.product });
  }
  if (response.headersSent) span.set({ 'http.response.status_code': response.statusCode });
  if (!response.headersSent || response.statusCode >= SERVER_ERRORS) span.fail();
  span.end();
}
