// The metrics of gateways that share a port, from the side of a gateway.
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { METRICS_OF_ALL, type ScrapeMessage } from './group-scrape.ts';

/** Longer than prom-client waits for the gateways. */
const READ_MS_MAX = 6 * SECOND_MS;

/**
 * Shows registries to the other gateways that share the port of this one, with the label `process`. Returns a function that reads
 * the metrics of all; null if this process shares no port, or while another gateway does not answer.
 */
export function joinGroup(registries: readonly Registry[]): () => Promise<string | null> {
  const { worker } = cluster;
  if (worker === undefined) return async () => null;
  for (const registry of registries) registry.setDefaultLabels({ process: String(worker.id) });
  AggregatorRegistry.setRegistries([...registries]);
  // Its constructor answers the other gateways from now on.
  new AggregatorRegistry();
  let asked: Promise<string | null> | null = null;
  return async () => {
    // Scrapes at the same time share one reading.
    asked ??= withTimeout(READ_MS_MAX, askForAll(), () => new Error('reading the metrics of all'))
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    return await asked;
  };
}

function askForAll(): Promise<string | null> {
  return new Promise((resolve) => {
    const take = ({ type, text = null }: ScrapeMessage): void => {
      if (type !== METRICS_OF_ALL) return;
      process.off('message', take);
      resolve(text);
    };
    process.on('message', take);
    process.send?.({ type: METRICS_OF_ALL });
  });
}
