import type { GatewayProduct } from '../http/product.ts';
import { keepFound, mapFound } from '../http/records/readings.ts';
import { feedbackReader, listWidgets } from './feedback-reading.ts';
import { feedbackRoutes } from './routes.ts';
import { widgetPrincipal } from './widget-principal.ts';

export const feedbackGateway: GatewayProduct<'svcfeedback'> = {
  name: 'svcfeedback',
  authenticators: { widget: widgetPrincipal },
  routes: feedbackRoutes,
  async readResults({ store }, installationId) {
    const { lastVerified } = (await feedbackReader.read(store, installationId)).root;
    const found = lastVerified === null ? [] : [{ id: lastVerified.submissionId, at: lastVerified.at }];
    return { found, unreadable: [] };
  },
  async findResources(services, { installationId }, { matches }) {
    const widgets = await listWidgets(services, installationId);
    const found = keepFound(widgets, ({ widgetId, origin }) => matches(widgetId, origin));
    const resources = mapFound(found, ({ widgetId, origin, createdAt }) => ({
      kind: 'widget' as const,
      id: widgetId,
      name: origin,
      createdAt,
    }));
    return { ...resources, found: resources.found.toReversed() };
  },
};
