import { Counter, type CounterConfiguration, Histogram, type HistogramConfiguration } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** A time series that only grows. */
export class CounterCell {
  value = 0;
  readonly labels: Labels;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  inc(by = 1): void {
    this.value += by;
  }
}

/** The time series of a histogram with the same labels. */
export class HistogramCell {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  /** The observations of each bucket alone, and at the end of those beyond all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }
}

/**
 * Makes a counter whose cells are added up when it is read: the children of prom-client check and join their labels at each
 * call, which takes several times as long.
 */
export function counterOf(configuration: CounterConfiguration<string>, cells: readonly CounterCell[]): void {
  new Counter({
    ...configuration,
    collect() {
      this.reset();
      for (const { labels, value } of cells) this.inc({ ...labels }, value);
    },
  });
}

/** A histogram of cells, for the same reason. The registry reads it by the two methods that this class replaces. */
export class CellHistogram extends Histogram {
  readonly #configuration: HistogramConfiguration<string>;
  readonly #cells: readonly HistogramCell[];

  constructor(configuration: HistogramConfiguration<string>, cells: readonly HistogramCell[]) {
    super(configuration);
    this.#configuration = configuration;
    this.#cells = cells;
  }

  /** Returns the form that gateways with one port send each other. prom-client declares more than it reads of it. */
  override async get() {
    const metric: unknown = { ...(await this.getForPromString()), aggregator: 'sum' };
    return metric as Awaited<ReturnType<Histogram['get']>>;
  }

  async getForPromString() {
    const { name, help, buckets = [] } = this.#configuration;
    const values = this.#cells.flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const each = counts.map((own, index) => {
        count += own;
        return {
          metricName: `${name}_bucket`,
          labels: { le: buckets[index] ?? '+Inf', ...labels },
          value: count,
        };
      });
      return [
        ...each,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type: 'histogram', values };
  }
}
