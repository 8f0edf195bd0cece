import type { z } from 'zod';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  createWidgetRequestSchema,
  FEEDBACK_SCHEMA_VERSION,
  feedbackInstallationParamsSchema,
  feedbackWorkspaceParamsSchema,
  widgetAnswerSchema,
  widgetListSchema,
  widgetParamsSchema,
} from '../../../schemas/feedback/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { checkOrigin } from '../../http/allowed-origins.ts';
import { json } from '../../http/audience.ts';
import { notFound } from '../../http/checks.ts';
import type { GatewayServices } from '../../http/services.ts';
import { feedbackAgent, feedbackMember, widgetScript } from '../audiences.ts';
import { listWidgets, readProvedOrigins } from '../feedback-reading.ts';
import { loaderOf, loaderUrl, snippetOf } from '../loader.ts';
import { findWidget } from '../widget-principal.ts';

/** POST `…/svcfeedback/widgets`: a widget for the pages of one origin. */
export const createWidgetRoute = feedbackAgent.post('/widgets', {
  name: 'createWidget',
  summary: 'Create a feedback widget for one origin',
  params: feedbackInstallationParamsSchema,
  body: json(createWidgetRequestSchema),
  success: { status: 201, schema: widgetAnswerSchema, description: 'The widget' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { origin, idempotencyKey } = body;
    checkOrigin(origin, 'body.origin', services);
    const input = { widgetId: idFrom('widget', services.entropy.bytes(ID_BYTES)), origin };
    const command = { topic: 'feedback', key: params.installationId, type: 'create-widget' } as const;
    const { widgetId, createdAt } = await submit({ ...command, input, idempotencyKey });
    return {
      body: {
        schemaVersion: FEEDBACK_SCHEMA_VERSION,
        widgetId,
        origin,
        loaderUrl: loaderUrl(services.hosts, widgetId),
        snippet: snippetOf(services.hosts, widgetId),
        createdAt: isoTime(createdAt),
      },
    };
  },
});

/** GET `/v1/console/workspaces/{workspaceId}/widgets`: in the order in which they were made, with counts. */
export const listWidgetsRoute = feedbackMember.get('/widgets', {
  name: 'listWidgets',
  summary: 'List the feedback widgets of a workspace',
  params: feedbackWorkspaceParamsSchema,
  success: { status: 200, schema: widgetListSchema, etag: true, description: 'The widgets' },
  handle: async ({ workspace, services }) => ({ body: await widgetList(services, workspace) }),
});

/** GET `/v1/installations/{installationId}/svcfeedback/widgets`: the same for the customer's backend or a coding agent. */
export const listInstallationWidgetsRoute = feedbackAgent.get('/widgets', {
  name: 'listInstallationWidgets',
  summary: 'List the feedback widgets of the installation',
  params: feedbackInstallationParamsSchema,
  success: { status: 200, schema: widgetListSchema, description: 'The widgets' },
  handle: async ({ workspace, services }) => ({ body: await widgetList(services, workspace) }),
});

async function widgetList(
  services: GatewayServices,
  workspace: WorkspaceView,
): Promise<z.infer<typeof widgetListSchema>> {
  const [widgets, proved] = await Promise.all([
    listWidgets(services, workspace.installationId),
    readProvedOrigins(services, workspace.installationId),
  ]);
  return {
    widgets: widgets.map(({ widgetId, origin, createdAt, counts, verified }) => ({
      widgetId,
      origin,
      originProved: proved.has(origin),
      loaderUrl: loaderUrl(services.hosts, widgetId),
      snippet: snippetOf(services.hosts, widgetId),
      createdAt: isoTime(createdAt),
      counts,
      verified:
        verified === undefined
          ? null
          : { submissionId: verified.submissionId, receivedAt: isoTime(verified.at) },
    })),
  };
}

/** The time for which browsers keep a loader. */
const LOADER_SECONDS = 300;

/** Every page may load the script, also one with `Cross-Origin-Embedder-Policy` or a `crossorigin` tag. It has no data. */
const LOADER_HEADERS = {
  'Cache-Control': `public, max-age=${LOADER_SECONDS}`,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

const JAVASCRIPT = 'text/javascript';

/** GET `/v1/feedback/{widgetId}/loader.v1.js`: the script that starts a widget on a page. */
export const loadWidgetRoute = widgetScript.get('/:widgetId/loader.v1.js', {
  name: 'loadWidget',
  summary: 'Load a feedback widget into a page',
  params: widgetParamsSchema,
  success: { status: 200, attachment: JAVASCRIPT, description: 'The script' },
  async handle({ params, services }) {
    const found = await findWidget(services, params.widgetId);
    if (found === null) throw notFound();
    const text = loaderOf(services, params.widgetId, found.workspace);
    return { attachment: { contentType: JAVASCRIPT, fileName: null, text }, headers: LOADER_HEADERS };
  },
});
