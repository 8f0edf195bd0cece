// Between gateways that share a port, and the process that started them: a scrape reaches one gateway and shows the metrics of all.
import cluster from 'node:cluster';

/** A gateway sends this name to the process that started it, which returns the text under the same name. */
export const METRICS_OF_ALL = 'svc:metrics-of-all';

export interface ScrapeMessage {
  readonly type?: unknown;
  /** Null if a gateway did not answer. */
  readonly text?: string | null;
}

/** In the process that started the gateways: reads the metrics of all when one asks. Imports prom-client only then. */
export function answerScrapes(): void {
  cluster.on('message', (gateway, message: ScrapeMessage) => {
    if (message.type !== METRICS_OF_ALL) return;
    void readAll().then((text) => {
      if (gateway.isConnected()) gateway.send({ type: METRICS_OF_ALL, text });
    });
  });
}

async function readAll(): Promise<string | null> {
  const { AggregatorRegistry } = await import('prom-client');
  return await new AggregatorRegistry().clusterMetrics().catch(() => null);
}
