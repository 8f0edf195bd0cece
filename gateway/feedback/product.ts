import type { GatewayProduct } from '../http/product.ts';
import { feedbackDocumentation } from './documentation.ts';
import { feedbackLimits, readFeedbackRoot } from './feedback-reading.ts';
import { feedbackRoutes } from './routes.ts';
import { widgetPrincipal } from './widget-principal.ts';

/** The feedback widget. */
export const gatewayProduct: GatewayProduct<'svcfeedback'> = {
  name: 'svcfeedback',
  authenticators: { widget: widgetPrincipal },
  routes: feedbackRoutes,
  documentation: feedbackDocumentation,
  readLimits: feedbackLimits,
  async readResults({ store }, installationId) {
    const { lastVerified } = await readFeedbackRoot(store, installationId);
    return lastVerified === null ? [] : [{ id: lastVerified.submissionId, at: lastVerified.at }];
  },
};
