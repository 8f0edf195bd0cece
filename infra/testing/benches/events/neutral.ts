import { readAggregate } from '../../../../gateway/http/read-aggregate.ts';
import { foldSubscription } from '../../../../processors/runtime/command-handler.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { TOPICS } from '../../../../topics/catalogue.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { newAggregates, recordAt } from './commands.ts';
import { events, rootSchema, TOPIC } from './fold.ts';
import { benchRoutes } from './routes.ts';
import type { Scene } from './scene.ts';
import { takeTurns } from './turns.ts';

/** Events of no product: what the runtime and the gateway cost by themselves. */
export const neutralScene: Scene = {
  limits: DEFAULT_LIMITS,
  fold: events,
  subscriptions: (dependencies) => [foldSubscription(events, dependencies)],
  // The guide for agents is written from the routes of the products.
  routes: (dependencies) => [...benchRoutes(dependencies), ...productRoutes()],
  backlog(aggregates) {
    const ids = newAggregates(aggregates);
    return {
      beginning: [],
      recordAt(n) {
        const { item, nth } = takeTurns(ids, n);
        return recordAt(item, nth);
      },
      async accepted(store) {
        const first = { table: TOPICS[TOPIC].table, id: takeTurns(ids, 0).item };
        const { root } = await readAggregate(store, first, rootSchema);
        return root?.events ?? 0;
      },
    };
  },
};
