import { sha256Hex } from '../../schemas/base/digest.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { feedbackCredentials } from '../../schemas/feedback/credentials.ts';
import type { WidgetDocument } from '../../schemas/feedback/documents.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { Authenticator } from '../http/callers/bearer.ts';
import { notFound } from '../http/guards.ts';
import { principal } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { feedbackReader } from './feedback-reading.ts';

/** The widget in a path of the audience of pages. */
const WIDGET_PATH = /\/v1\/feedback\/(wid_[a-z2-7]{24})\//;

/** A page of a widget's origin. The id of the widget is no secret: the checks behind compare the origin. */
export const widgetPrincipal: Authenticator<'widget'> = async ({ url = '' }, services) => {
  const widgetId = WIDGET_PATH.exec(url)?.[1];
  const found = widgetId === undefined ? null : await findWidget(services, widgetId);
  if (found === null) throw notFound();
  const { widget, workspace } = found;
  const { origin } = widget;
  return principal('widget', { id: found.widgetId, owned: { widgetId: found.widgetId }, origin, workspace });
};

interface FoundWidget {
  readonly widgetId: string;
  readonly widget: WidgetDocument;
  readonly workspace: WorkspaceView;
}

/** A widget by its id, with its workspace; null if there is none. */
export async function findWidget(
  { digestIndex, store }: Pick<GatewayServices, 'digestIndex' | 'store'>,
  widgetId: string,
): Promise<FoundWidget | null> {
  const { indexKind, target } = feedbackCredentials.widget;
  const entry = await digestIndex.get({ kind: indexKind, digest: sha256Hex(widgetId) });
  if (entry === null) return null;
  const { installationId } = readStored(target, entry);
  const [workspace, widget] = await Promise.all([
    findWorkspace(store, installationId),
    feedbackReader.row(store, installationId, 'widget', widgetId),
  ]);
  return workspace === null || widget === null ? null : { widgetId, widget, workspace };
}
