import type { WidgetDocument } from '../../schemas/feedback/documents.ts';
import { feedbackProduct } from '../../schemas/feedback/product.ts';
import { productReader } from '../http/records/product-reader.ts';
import type { Readings } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

/** The reads of installations' feedback. */
export const feedbackReader = productReader(feedbackProduct);

export interface ListedWidget extends WidgetDocument {
  readonly widgetId: string;
}

/** The number of widgets that are listed: more than a plan allows, unless an operator allows more. */
const WIDGETS_LISTED_MIN = 20;

/** An installation's widgets in the order they were made. There are as many as a plan ever allows. */
export async function listWidgets(
  { store, limits }: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
): Promise<Readings<ListedWidget>> {
  const { preview, free } = limits.plans;
  const limit = Math.max(WIDGETS_LISTED_MIN, preview.feedbackWidgets, free.feedbackWidgets);
  const { found, unreadable } = await feedbackReader.list(store, installationId, 'widget', { limit });
  const widgets = found
    .map(({ id, document }) => ({ widgetId: id, ...document }))
    .sort((left, right) => left.createdAt - right.createdAt || (left.widgetId < right.widgetId ? -1 : 1));
  return { found: widgets, unreadable };
}
