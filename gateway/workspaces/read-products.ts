import { joined, type Readings, readEach } from '../http/records/readings.ts';
import type { ProductReads } from '../services.ts';

/** Reads something of each product. A product whose root cannot be read is named among the entries that cannot be read. */
export async function readProducts<Value>(
  products: readonly ProductReads[],
  read: (product: ProductReads) => Promise<Readings<Value>> | undefined,
): Promise<Readings<Value>> {
  const { found, unreadable } = await readEach(
    products,
    ({ name }) => name,
    async (product) => (await read(product)) ?? { found: [], unreadable: [] },
  );
  return joined([...found, { found: [], unreadable }]);
}
