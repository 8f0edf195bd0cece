import { z } from 'zod';
import { partsOf } from './cluster-settings.ts';

/** The samplers of the OpenTelemetry specification that need no server. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const RATIO = 'expected a number from 0 to 1';
const DELAY_MS_MAX = 60_000;
const QUEUE_SPANS_MAX = 65_536;

const endpointSchema = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });

const whole = (min: number, max: number) =>
  z.coerce.number().refine((number) => Number.isInteger(number) && number >= min && number <= max, {
    error: `expected a whole number from ${min} to ${max}`,
  });

/** `name=value` pairs, separated by commas, with percent-encoding (W3C Baggage). */
const pairsSchema = z.string().transform((text, context): Record<string, string> => {
  try {
    return Object.fromEntries(
      partsOf(text).map((pair) => {
        const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (name === '') throw new Error('reading a pair without a name');
        return [decodeURIComponent(name), decodeURIComponent(value)];
      }),
    );
  } catch {
    context.addIssue('expected name=value, separated by commas');
    return z.NEVER;
  }
});

/** The variables of traces, as the OpenTelemetry specification names them. */
export const tracingShape = {
  OTEL_SDK_DISABLED: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpointSchema.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointSchema.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairsSchema.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: whole(1, DELAY_MS_MAX).default(10_000),
  OTEL_SERVICE_NAME: z.string().min(1).default('svc'),
  OTEL_RESOURCE_ATTRIBUTES: pairsSchema.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => Number(text) >= 0 && Number(text) <= 1, RATIO)
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: whole(1, DELAY_MS_MAX).default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: whole(1, QUEUE_SPANS_MAX).default(2_048),
} as const;

export const TRACING_SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS'] as const;

/** The collector of traces, and the traces that it gets. */
export interface TracingSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The maximum time of one export, its repetitions included. */
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of traces that a sampler by ratio takes. */
  readonly ratio: number;
  /** The maximum time that a span waits for others of its export. */
  readonly delayMs: number;
  /** Spans that wait at the same time; others are dropped. */
  readonly queueMax: number;
}

/**
 * Returns the variables without those of traces if they lead to no traces. Platforms set such variables for all processes, with values
 * for other programs.
 */
export function withoutUnusedTracing(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own = base } = variables;
  if (own !== undefined && variables['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true') return variables;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in tracingShape)));
}

/** Returns null unless the variables name a collector. */
export function tracingOf(variables: z.infer<z.ZodObject<typeof tracingShape>>): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base } = variables;
  const url =
    variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined ? undefined : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === undefined) return null;
  return {
    url,
    headers: variables.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: variables.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: { ...variables.OTEL_RESOURCE_ATTRIBUTES, 'service.name': variables.OTEL_SERVICE_NAME },
    sampler: variables.OTEL_TRACES_SAMPLER,
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
    delayMs: variables.OTEL_BSP_SCHEDULE_DELAY,
    queueMax: variables.OTEL_BSP_MAX_QUEUE_SIZE,
  };
}
