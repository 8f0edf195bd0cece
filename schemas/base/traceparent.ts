import { z } from 'zod';

/** `traceparent` of W3C Trace Context, version 00: trace id, id of the parent span, and `01` if the trace is sampled. */
export const traceparentSchema = z
  .string()
  .regex(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/, 'expected a traceparent of version 00');

/** Version, trace id, parent id, flags, and what later versions may add. */
const HEADER = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/**
 * Reads a `traceparent` header. Returns it in version 00, or null if it is invalid: the request then begins a trace.
 * A header of a later version is read as far as version 00 knows it (W3C Trace Context, section 4.3).
 */
export function readTraceparent(header: string): string | null {
  const [, version, traceId, parentId, flags = '', rest] = HEADER.exec(header) ?? [];
  if (version === undefined || (version === '00' && rest !== undefined)) return null;
  return `00-${traceId}-${parentId}-0${Number.parseInt(flags, 16) & SAMPLED}`;
}

/** Returns the trace id of a `traceparent` of {@link traceparentSchema}; undefined without one. */
export function traceIdOf(traceparent: string | null | undefined): string | undefined {
  return traceparent?.split('-')[1];
}
