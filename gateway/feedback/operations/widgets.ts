import type { z } from 'zod';
import { exampleId, ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  createdWidgetAnswerSchema,
  createWidgetRequestSchema,
  FEEDBACK_SCHEMA_VERSION,
  widgetListSchema,
} from '../../../schemas/feedback/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { checkOrigin } from '../../http/browsers/allowed-origins.ts';
import { notFound } from '../../http/guards.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { readProvedOrigins } from '../../workspaces/proved-origins.ts';
import { feedbackAgent, feedbackMember, widgetScript } from '../audiences.ts';
import { listWidgets } from '../feedback-reading.ts';
import { loaderOf, loaderScript, loaderUrl, snippetOf } from '../loader.ts';
import { findWidget } from '../widget-principal.ts';

export const createWidgetRoute = feedbackAgent.post('/widgets', {
  name: 'createWidget',
  summary: 'Create a feedback widget for one origin',
  description:
    'Creates a widget for the pages of one origin, and returns the tag for them. Put the tag into the page; nothing else is needed. In a preview without a free widget, a widget of another origin replaces the latest one, as long as no submission has arrived. That charges nothing, and `replacedOrigin` names the former origin. The same origin is the same widget until then.',
  body: json(createWidgetRequestSchema),
  success: { status: 201, schema: createdWidgetAnswerSchema, description: 'The widget' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { origin, idempotencyKey } = body;
    checkOrigin(origin, 'body.origin', services);
    const input = { widgetId: idFrom('widget', services.entropy.bytes(ID_BYTES)), origin };
    const command = { topic: 'feedback', key: params.installationId, type: 'create-widget' } as const;
    const { widgetId, createdAt, replacedOrigin } = await submit({ ...command, input, idempotencyKey });
    return {
      body: {
        schemaVersion: FEEDBACK_SCHEMA_VERSION,
        widgetId,
        origin,
        loaderUrl: loaderUrl(services.hosts, widgetId),
        snippet: snippetOf(services.hosts, widgetId),
        createdAt: isoTime(createdAt),
        ...(replacedOrigin !== undefined && { replacedOrigin }),
      },
    };
  },
});

export const listWidgetsRoute = feedbackMember.get('/widgets', {
  name: 'listWidgets',
  summary: 'List the feedback widgets of a workspace',
  description: 'Returns every widget of the workspace with the number of its submissions.',
  success: { status: 200, schema: widgetListSchema, etag: true, description: 'The widgets' },
  handle: ({ workspace, services }) => widgetList(services, workspace),
});

export const listInstallationWidgetsRoute = feedbackAgent.get('/widgets', {
  name: 'listInstallationWidgets',
  summary: 'List the feedback widgets of the installation',
  description: 'Returns every widget with the number of its submissions, and no message.',
  success: { status: 200, schema: widgetListSchema, description: 'The widgets' },
  handle: ({ workspace, services }) => widgetList(services, workspace),
});

/** The widgets. An origin whose proof cannot be read counts as unproved, and is among the entries that cannot be read. */
async function widgetList(services: GatewayServices, workspace: WorkspaceView) {
  const [widgets, proved] = await Promise.all([
    listWidgets(services, workspace.installationId),
    readProvedOrigins(services, workspace.installationId),
  ]);
  const body: z.infer<typeof widgetListSchema> = {
    widgets: widgets.found.map(({ widgetId, origin, createdAt, counts, verified }) => ({
      widgetId,
      origin,
      originProved: proved.origins.has(origin),
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
  return { body, unreadable: [...widgets.unreadable, ...proved.unreadable] };
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

export const loadWidgetRoute = widgetScript.get('/:widgetId/loader.v1.js', {
  name: 'loadWidget',
  summary: 'Load a feedback widget into a page',
  description:
    'The script of the tag. It loads the script of the widget and starts it. While the workspace is paused, and after its end, it does nothing.',
  success: {
    status: 200,
    attachment: JAVASCRIPT,
    file: loaderScript(
      { ingest: 'https://ingest.example.com' },
      exampleId('widget'),
      'https://ingest.example.com/downloads/svcfeedback-widget-v0.1.0.js',
    ),
    description: 'The script',
  },
  async handle({ params, services }) {
    const found = await findWidget(services, params.widgetId);
    if (found === null) throw notFound();
    const text = loaderOf(services, params.widgetId, found.workspace);
    return { attachment: { contentType: JAVASCRIPT, fileName: null, text }, headers: LOADER_HEADERS };
  },
});
