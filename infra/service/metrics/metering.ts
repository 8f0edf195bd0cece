// The only folder that imports prom-client, and only imported while metrics are on.
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Metrics } from '../../../gateway/http/pages/metrics-page.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import type { Meter } from '../../../topics/ports/meter.ts';
import { joinGroup } from './group-metrics.ts';
import { Instruments } from './instruments.ts';
import { createMeter } from './meter.ts';

/** Time for the measurements of one reading. One that takes longer, because an engine does not answer, is left out. */
export const MEASURE_MS_MAX = 1_000;

/** The counts of one service, and the page that shows them. */
export interface Metering extends Metrics {
  readonly meter: Meter;
  readonly instruments: Instruments;
  /** Adds a measurement that each reading begins with. */
  onRead(measure: () => Promise<void> | void): void;
}

/** The metrics of the process, which its services share: their observers run until it ends. */
let ofProcess: Registry | null = null;

/** @param token of the page */
export function openMetering({ token }: Pick<Metrics, 'token'>): Metering {
  ofProcess ??= processRegistry();
  const shared = ofProcess;
  const measures: (() => Promise<void>)[] = [];
  const registry = new MeasuredRegistry(measures);
  const instruments = new Instruments(registry);
  measures.push(eventLoopCounter(instruments));
  const readGroup = joinGroup([shared, registry]);
  return {
    token,
    meter: createMeter(instruments),
    instruments,
    onRead: (measure) => void measures.push(async () => measure()),
    read: async () =>
      (await readGroup()) ?? (await Promise.all([shared.metrics(), registry.metrics()])).join('\n'),
  };
}

/** Takes its measurements before each reading. */
class MeasuredRegistry extends Registry {
  readonly #measures: readonly (() => Promise<void>)[];

  constructor(measures: readonly (() => Promise<void>)[]) {
    super();
    this.#measures = measures;
  }

  override async metrics(): Promise<string> {
    await this.#measure();
    return await super.metrics();
  }

  override async getMetricsAsJSON() {
    await this.#measure();
    return await super.getMetricsAsJSON();
  }

  async #measure(): Promise<void> {
    await Promise.all(this.#measures.map((measure) => settlesWithin(MEASURE_MS_MAX, measure())));
  }
}

function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Returns a function that adds the time in which the event loop was busy since the last call. */
function eventLoopCounter(instruments: Instruments): () => Promise<void> {
  const seconds = instruments.counter('eventLoopSeconds')();
  let countedMs = 0;
  return async () => {
    const { active } = performance.eventLoopUtilization();
    seconds.inc((active - countedMs) / SECOND_MS);
    countedMs = active;
  };
}
