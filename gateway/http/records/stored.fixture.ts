import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Row, Store } from '../../../topics/ports/store.ts';
import { OperatorMemory } from '../../people/operator-memory.ts';
import type { GatewayServices } from '../../services.ts';

/** One aggregate's product state and rows. */
export interface Stored {
  readonly root: JsonObject | null;
  readonly rows?: readonly Row[];
}

/** Services that read what a test says is stored, by `table/id`, and whose look-ups all lead to one target. */
export function servicesReading(
  aggregates: Readonly<Record<string, Stored>>,
  { target = null, now = 0 }: { readonly target?: JsonObject | null; readonly now?: number } = {},
): GatewayServices {
  const read: Store['read'] = async ({ table, id }, keys) => {
    const stored = aggregates[`${table}/${id}`];
    if (stored === undefined) return { root: null, rows: [] };
    const document = { ...EMPTY_ROOT, state: stored.root };
    const rows = (stored.rows ?? []).filter((row) =>
      keys.some((key) => row.kind === key.kind && row.id === key.id),
    );
    return {
      root: { version: 1, batchId: 'batch', applied: { generation: 1, offset: 1 }, document },
      rows,
    };
  };
  const console = 'http://console.test';
  return {
    store: { read },
    digestIndex: { get: async () => target },
    clock: { now: () => now },
    operators: new OperatorMemory(() => now),
    hosts: { base: console, limiter: console, ingest: console, console, dashboard: console },
  } as unknown as GatewayServices;
}

/** A request with one header. */
export function requestWith(name: string, value: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headersDistinct = { [name]: [value] };
  return request;
}
