import type { GatewayProduct } from '../http/product.ts';
import { feedbackReader, listWidgets } from './feedback-reading.ts';
import { feedbackRoutes } from './routes.ts';
import { widgetPrincipal } from './widget-principal.ts';

export const feedbackGateway: GatewayProduct<'svcfeedback'> = {
  name: 'svcfeedback',
  authenticators: { widget: widgetPrincipal },
  routes: feedbackRoutes,
  async readResults({ store }, installationId) {
    const { lastVerified } = (await feedbackReader.read(store, installationId)).root;
    return lastVerified === null ? [] : [{ id: lastVerified.submissionId, at: lastVerified.at }];
  },
  async findResources(services, { installationId }, { matches }) {
    const widgets = await listWidgets(services, installationId);
    return widgets
      .filter(({ widgetId, origin }) => matches(widgetId, origin))
      .map(({ widgetId, origin, createdAt }) => ({
        kind: 'widget' as const,
        id: widgetId,
        name: origin,
        createdAt,
      }))
      .reverse();
  },
};
