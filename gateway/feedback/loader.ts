import type { Download } from '../../schemas/workspaces/capabilities.ts';
import { effectiveState, type WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices, Hosts } from '../services.ts';

/** The address of a widget's loader. Its content may change; browsers keep it for minutes only. */
export function loaderUrl({ ingest }: Pick<Hosts, 'ingest'>, widgetId: string): string {
  return `${ingest}/v1/feedback/${widgetId}/loader.v1.js`;
}

/** The tag that a page needs. */
export function snippetOf(hosts: Pick<Hosts, 'ingest'>, widgetId: string): string {
  return `<script async src="${loaderUrl(hosts, widgetId)}"></script>`;
}

/**
 * The script that loads a widget's script and starts the widget. It hands over its own tag, which has the options. If the
 * script does not load, the page continues without the widget. `import()` needs no word of the page about Trusted Types.
 *
 * @param script the address of the widget's script
 */
export function loaderScript({ ingest }: Pick<Hosts, 'ingest'>, widgetId: string, script: string): string {
  const options = JSON.stringify({ widgetId, ingestOrigin: ingest });
  return `((tag) => {
  import(${JSON.stringify(script)}).then(
    () => globalThis.SvcFeedback?.start(${options}, tag),
    () => {},
  );
})(document.currentScript);
`;
}

/** The name of the script behind the loaders, with its version. */
const SCRIPT_NAME = /^svcfeedback-widget-v[0-9.]+\.js$/;

/** The address of the script behind the loaders; null if it was not built. */
function widgetScriptUrl(downloads: readonly Pick<Download, 'name' | 'url'>[]): string | null {
  return downloads.find(({ name }) => SCRIPT_NAME.test(name))?.url ?? null;
}

/** The loader of a widget as it is now: it does nothing while the widget takes no feedback, so that the page shows none. */
export function loaderOf(
  { hosts, clock, downloads }: Pick<GatewayServices, 'hosts' | 'clock' | 'downloads'>,
  widgetId: string,
  workspace: WorkspaceView,
): string {
  const state = effectiveState(workspace, clock.now());
  if (state !== 'preview' && state !== 'active')
    return `// No feedback is accepted: the workspace is ${state}.\n`;
  const script = widgetScriptUrl(downloads);
  if (script === null) return '// No feedback is accepted: the script of the widget was not built.\n';
  return loaderScript(hosts, widgetId, script);
}
