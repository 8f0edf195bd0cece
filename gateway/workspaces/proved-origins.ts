import type { GatewayServices } from '../services.ts';

/** Returns the origins that an installation has proved in any product, and whose proof has not ended. */
export async function readProvedOrigins(
  services: Pick<GatewayServices, 'store' | 'clock' | 'products'>,
  installationId: string,
): Promise<ReadonlySet<string>> {
  const read = services.products.map((product) => product.readProvedOrigins?.(services, installationId));
  const origins = await Promise.all(read);
  return new Set(origins.flatMap((each) => each ?? []));
}
