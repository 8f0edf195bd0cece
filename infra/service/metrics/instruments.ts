import { Gauge, type Registry } from 'prom-client';
import { CellHistogram, CounterCell, counterOf, HistogramCell } from './cells.ts';
import { type AnyDeclaration, METRICS, type MetricKey } from './declarations.ts';

type KeyOf<Kind extends AnyDeclaration['kind']> = {
  [Key in MetricKey]: (typeof METRICS)[Key]['kind'] extends Kind ? Key : never;
}[MetricKey];

/** One text for each label of a metric, in their order. */
type LabelValues<Key extends MetricKey> = Texts<(typeof METRICS)[Key]['labels']>;
type Texts<Labels extends readonly string[]> = { readonly [Index in keyof Labels]: string };

/** The time series of a metric with these labels: the same object for the same values. */
type ChildOf<Key extends MetricKey, Child> = (...labels: LabelValues<Key>) => Child;

/** A metric that is set, not counted. */
interface GaugeOf<Key extends MetricKey> {
  set(value: number, ...labels: LabelValues<Key>): void;
  /** Forgets all time series. */
  reset(): void;
}

/** Makes the declared metrics in one registry. Each is made once, by the part that counts it. */
export class Instruments {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  counter<Key extends KeyOf<'counter'>>(key: Key): ChildOf<Key, CounterCell> {
    const cells: CounterCell[] = [];
    counterOf(this.#configuration(key), cells);
    return children(METRICS[key].labels, cells, (labels) => new CounterCell(labels));
  }

  histogram<Key extends KeyOf<'histogram'>>(key: Key): ChildOf<Key, HistogramCell> {
    const cells: HistogramCell[] = [];
    const { buckets, labels: names } = METRICS[key];
    new CellHistogram({ ...this.#configuration(key), buckets: [...buckets] }, cells);
    return children(names, cells, (labels) => new HistogramCell(labels, buckets));
  }

  gauge<Key extends KeyOf<'gauge'>>(key: Key): GaugeOf<Key> {
    const gauge = new Gauge(this.#configuration(key));
    return {
      set: (value, ...labels) => gauge.labels(...(labels as readonly string[])).set(value),
      reset: () => gauge.reset(),
    };
  }

  #configuration(key: MetricKey) {
    const { name, help, labels } = METRICS[key];
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}

interface Level<Child> {
  child: Child | null;
  readonly next: Map<string, Level<Child>>;
}

/** Finds the child for each combination of labels, and adds it to the cells when it is first asked for. */
function children<Key extends MetricKey, Child>(
  names: readonly string[],
  cells: Child[],
  create: (labels: Readonly<Record<string, string>>) => Child,
): ChildOf<Key, Child> {
  const first: Level<Child> = { child: null, next: new Map() };
  return (...values) => {
    const texts: readonly string[] = values;
    let level = first;
    for (const text of texts) {
      let next = level.next.get(text);
      if (next === undefined) {
        next = { child: null, next: new Map() };
        level.next.set(text, next);
      }
      level = next;
    }
    if (level.child === null) {
      level.child = create(Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ''])));
      cells.push(level.child);
    }
    return level.child;
  };
}
