import type { Unreadable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';
import { readProducts } from './read-products.ts';

/** Returns the origins that an installation has proved in any product, and whose proof has not ended. */
export async function readProvedOrigins(
  services: Pick<GatewayServices, 'store' | 'clock' | 'products'>,
  installationId: string,
): Promise<{ readonly origins: ReadonlySet<string>; readonly unreadable: readonly Unreadable[] }> {
  const read = await readProducts(services.products, ({ readProvedOrigins: ofProduct }) =>
    ofProduct?.(services, installationId),
  );
  return { origins: new Set(read.found), unreadable: read.unreadable };
}
