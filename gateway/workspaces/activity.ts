import type { z } from 'zod';
import { type HourlyCounts, latestHours, startOfHour } from '../../schemas/base/hourly-counts.ts';
import { HOUR_MS, isoTime } from '../../schemas/base/time.ts';
import { hasProduct, PRODUCTS, type Product } from '../../schemas/products.ts';
import { ACTIVITY_HOURS, type activitySchema } from '../../schemas/workspaces/overview.ts';
import type { ProductRoot } from '../../schemas/workspaces/product.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { type Readings, readEach } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

type Reader = Pick<GatewayServices, 'store'>;

/** The counts by hour of a product in a workspace. */
interface ProductActivity {
  readonly product: Product;
  /** Absent if it never accepted anything. */
  readonly counts: HourlyCounts | undefined;
}

/** Reads the activity of a workspace's products: one root each. */
export async function readActivity(
  { store }: Reader,
  installationId: string,
  optIns: readonly Product[],
): Promise<Readings<ProductActivity>> {
  const enabled = PRODUCTS.filter(({ name }) => hasProduct(optIns, name));
  return await readEach(
    enabled,
    ({ name }) => name,
    async ({ name, topic, root: { schema } }) => {
      const { root } = await readAggregate<ProductRoot>(store, { table: topic, id: installationId }, schema);
      return { product: name, counts: root?.activity };
    },
  );
}

/** Unix milliseconds of the latest activity, or null. */
export function lastActivity(activity: readonly ProductActivity[]): number | null {
  const times = activity.flatMap(({ counts }) => (counts === undefined ? [] : [counts.at]));
  return times.length === 0 ? null : Math.max(...times);
}

/** The activity of the latest hours, as answers show it. `now`: Unix milliseconds. */
export function activityAnswer(
  activity: readonly ProductActivity[],
  now: number,
): z.infer<typeof activitySchema> {
  return {
    from: isoTime(startOfHour(now) - (ACTIVITY_HOURS - 1) * HOUR_MS),
    products: activity.map(({ product, counts }) => ({
      product,
      hours: latestHours(counts, ACTIVITY_HOURS, now),
    })),
  };
}
