// The import widget: one script, one global name. The page calls SvcImport.mount({ host, … }).
import './grid-keys.ts';

import { expose } from '../shared/expose.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { complain, tell } from '../shared/root.ts';
import { sendInSession } from './api.ts';
import { LABELS } from './labels.ts';
import { fixModulesOf } from './load-fix.ts';
import { mountFlow } from './mount-flow.ts';
import type { SvcImportMount, SvcImportOptions, SvcImportWidget } from './svcimport-widget.d.ts';

const NOTHING: SvcImportMount = { destroy: () => undefined };

const mounted = new WeakMap<Element, SvcImportMount>();

function mount(options: SvcImportOptions): SvcImportMount {
  const { host, workspaceId, schemaId, sessionToken, ingestOrigin, maxBytes, onEnd } = Object(
    options,
  ) as Partial<SvcImportOptions>;
  const texts = [workspaceId, schemaId, sessionToken, ingestOrigin].every((text) => typeof text === 'string');
  const isOrigin = parseUrl(String(ingestOrigin))?.origin === ingestOrigin;
  if (!(host instanceof Element) || !texts || !isOrigin || !(Number(maxBytes) > 0)) {
    complain(
      'SvcImport.mount needs a host element and workspaceId, schemaId, sessionToken, ingestOrigin and maxBytes of a session',
    );
    return NOTHING;
  }
  mounted.get(host)?.destroy();
  const origin = String(ingestOrigin);
  const flow = mountFlow(
    {
      ...options,
      maxBytes: Number(maxBytes),
      sendAs: (token) => sendInSession(origin, token),
      modules: fixModulesOf(origin),
    },
    (end) => tell(host, 'svcimport:end', onEnd, end),
  );
  const made: SvcImportMount = {
    destroy() {
      flow.destroy();
      if (mounted.get(host) === made) mounted.delete(host);
    },
  };
  mounted.set(host, made);
  return made;
}

expose('SvcImport', { mount } satisfies SvcImportWidget, (options) => {
  options?.host?.append(LABELS.refused);
  return NOTHING;
});
