// Writes: spans to a collector, over OTLP/HTTP. The only file that imports OpenTelemetry, and only imported while traces are on.
import {
  type Context,
  SpanKind as OtelKind,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { describeError } from '../../../gateway/http/server/logging.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import type { Span, SpanAttributes, SpanKind, Tracer } from '../../../topics/ports/tracer.ts';
import type { TracingSettings } from '../settings/tracing-settings.ts';

/** Time for the last spans when the process ends. */
export const LAST_EXPORT_MS_MAX = 2_000;

/** Spans in one export. */
const EXPORT_SPANS_MAX = 512;

/** The least time between two lines about exports that failed. */
export const FAILURE_LINE_MS = MINUTE_MS;

/** A tracer that is connected to its collector. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Exports what waits, for {@link LAST_EXPORT_MS_MAX} at most. */
  close(): Promise<void>;
}

/** Opens the tracer. A collector that is down or slow costs spans and nothing else. */
export function openTracing(
  settings: TracingSettings,
  logger: Logger,
  now = () => performance.now(),
): Tracing {
  const { url, headers, timeoutMs, delayMs, queueMax } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...settings.resource })),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingFailures(exporter, logger, now),
        maxQueueSize: queueMax,
        maxExportBatchSize: Math.min(EXPORT_SPANS_MAX, queueMax),
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('svc');
  return {
    tracer: {
      start: (name, kind, parent, attributes) =>
        startSpan(tracer, name, { kind, attributes, context: contextOf(parent) }),
    },
    close: async () => void (await settlesWithin(LAST_EXPORT_MS_MAX, provider.shutdown())),
  };
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Logs that an export failed, at most once in {@link FAILURE_LINE_MS}, with the number since the last line. */
function loggingFailures(exporter: SpanExporter, logger: Logger, now: () => number): SpanExporter {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          lost += spans.length;
          if (now() - loggedAt >= FAILURE_LINE_MS) {
            logger.warn({ spans: lost, error: describeError(result.error) }, 'TracesNotExported');
            loggedAt = now();
            lost = 0;
          }
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

const SAMPLED = 1;

/** The context behind a `traceparent`, which is valid. */
function contextOf(parent: string | null): Context {
  const [, traceId, spanId, flags] = parent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true });
}

interface Start {
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
  readonly context: Context;
}

function startSpan(tracer: OtelTracer, name: string, { kind, attributes, context }: Start): Span {
  return spanOf(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes }, context));
}

function spanOf(tracer: OtelTracer, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & SAMPLED}`,
    child: (name, kind = 'internal', attributes = {}) =>
      startSpan(tracer, name, { kind, attributes, context: trace.setSpan(ROOT_CONTEXT, span) }),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}
