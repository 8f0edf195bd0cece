import type { z } from 'zod';
import { quotaAnswer } from '../../schemas/base/quota.ts';
import {
  EMPTY_FEEDBACK_ROOT,
  type FeedbackRoot,
  type FeedbackRows,
  feedbackRootSchema,
  feedbackRowSchemas,
  type WidgetDocument,
} from '../../schemas/feedback/documents.ts';
import type { feedbackLimitsSchema } from '../../schemas/feedback/http.ts';
import { submissionQuota, widgetQuota } from '../../schemas/feedback/quotas.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AggregateRef } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';

type Reader = Pick<GatewayServices['store'], 'read'>;

/** The aggregate that stores an installation's feedback. */
export function feedbackAggregate(installationId: string): AggregateRef {
  return { table: 'feedback', id: installationId };
}

/** The counts of an installation's feedback; zeros before there is anything to count. */
export async function readFeedbackRoot(store: Reader, installationId: string): Promise<FeedbackRoot> {
  const { root } = await readAggregate(store, feedbackAggregate(installationId), feedbackRootSchema);
  return root ?? EMPTY_FEEDBACK_ROOT;
}

/** One row of an installation's feedback, or null. */
export async function readFeedbackRow<Kind extends keyof FeedbackRows>(
  store: Reader,
  installationId: string,
  kind: Kind,
  id: string,
): Promise<FeedbackRows[Kind] | null> {
  const aggregate = feedbackAggregate(installationId);
  const { row } = await readAggregate(store, aggregate, feedbackRootSchema, [{ kind, id }]);
  const schema: z.ZodType = feedbackRowSchemas[kind];
  return row(kind, id, schema) as FeedbackRows[Kind] | null;
}

/** The used and the allowed amounts of an installation's feedback limits. */
export async function feedbackLimits(
  { store, limits, clock }: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { plan }: Pick<WorkspaceView, 'plan'>,
): Promise<z.infer<typeof feedbackLimitsSchema>> {
  const root = await readFeedbackRoot(store, installationId);
  return {
    widgets: quotaAnswer(widgetQuota(root, plan, limits)),
    submissions: quotaAnswer(submissionQuota(root, plan, limits, clock.now())),
  };
}

/** A widget with its id. */
export interface ListedWidget extends WidgetDocument {
  readonly widgetId: string;
}

/** The number of widgets that are listed: more than a plan allows, unless an operator allows more. */
const WIDGETS_LISTED_MIN = 20;

/** An installation's widgets in the order they were made. There are as many as a plan ever allows. */
export async function listWidgets(
  { store, limits }: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
): Promise<ListedWidget[]> {
  const { preview, free } = limits.plans;
  const limit = Math.max(WIDGETS_LISTED_MIN, preview.feedbackWidgets, free.feedbackWidgets);
  const rows = await store.list(feedbackAggregate(installationId), 'widget', { limit });
  return rows
    .map(({ id, document }) => ({ widgetId: id, ...feedbackRowSchemas.widget.parse(document) }))
    .sort((left, right) => left.createdAt - right.createdAt || (left.widgetId < right.widgetId ? -1 : 1));
}

/** The origins of an installation that any product has proved. A widget of another origin works, and is shown as unproved. */
export async function readProvedOrigins(
  services: Pick<GatewayServices, 'store' | 'clock' | 'products'>,
  installationId: string,
): Promise<ReadonlySet<string>> {
  const read = services.products.map((product) => product.readProvedOrigins?.(services, installationId));
  const origins = await Promise.all(read);
  return new Set(origins.flatMap((each) => each ?? []));
}
