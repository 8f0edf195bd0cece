/** Values of a span: patterns, codes, counts and the request id. No secret, no value of a customer, no other id. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** `internal` unless the span is one side of an exchange with another process. */
export type SpanKind = 'internal' | 'server' | 'producer' | 'consumer';

/** A piece of work of a trace, from its start until `end`. */
export interface Span {
  /** The value with which other processes continue the trace, as schemas/base/traceparent.ts describes it; null: no trace. */
  readonly traceparent: string | null;
  child(name: string, kind?: SpanKind, attributes?: SpanAttributes): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(): void;
  /** Called once, as the last method. */
  end(): void;
}

/** Starts spans. No method of it or of its spans throws, and none waits. */
export interface Tracer {
  /** @param parent the `traceparent` of what caused the work; null begins a trace */
  start(name: string, kind: SpanKind, parent: string | null, attributes: SpanAttributes): Span;
}

/** The span of everything while no tracer is there. */
export const NO_SPAN: Span = {
  traceparent: null,
  child: () => NO_SPAN,
  rename: () => {},
  set: () => {},
  fail: () => {},
  end: () => {},
};

/** The member with which an envelope continues the trace of a span; no member without a trace. */
export function traceMember({ traceparent }: Pick<Span, 'traceparent'>): { readonly traceparent?: string } {
  return traceparent === null ? {} : { traceparent };
}
