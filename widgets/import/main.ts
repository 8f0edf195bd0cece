// The import widget: one script, one global name. The page calls SvcImport.mount({ host, … }).
import { expose } from '../shared/expose.ts';
import { complain, makeRoot, tell } from '../shared/root.ts';
import { Card } from './card.ts';
import { ImportFlow } from './flow.ts';
import { labelsOf } from './labels.ts';
import css from './style.css?inline';
import type { SvcImportMount, SvcImportOptions, SvcImportWidget } from './svcimport-widget.d.ts';

const NOTHING: SvcImportMount = { destroy: () => undefined };

const mounted = new WeakMap<Element, SvcImportMount>();

function mount(options: SvcImportOptions): SvcImportMount {
  const { host, workspaceId, schemaId, sessionToken, ingestOrigin, maxBytes, labels, headingLevel, onEnd } =
    Object(options) as Partial<SvcImportOptions>;
  const texts = [workspaceId, schemaId, sessionToken, ingestOrigin].every((text) => typeof text === 'string');
  const isOrigin = URL.parse(String(ingestOrigin))?.origin === ingestOrigin;
  if (!(host instanceof Element) || !texts || !isOrigin || !(Number(maxBytes) > 0)) {
    complain(
      'SvcImport.mount needs a host element and workspaceId, schemaId, sessionToken, ingestOrigin and maxBytes of a session',
    );
    return NOTHING;
  }
  mounted.get(host)?.destroy();
  const shadow = makeRoot(css, { in: () => card.arrive(), out: () => undefined });
  const card = new Card(shadow, labelsOf(labels), Number(headingLevel));
  const flow = new ImportFlow(card, { ...options, maxBytes: Number(maxBytes) }, (end) =>
    tell(host, 'svcimport:end', onEnd, end),
  );
  const made: SvcImportMount = {
    destroy() {
      flow.stop();
      shadow.host.remove();
      if (mounted.get(host) === made) mounted.delete(host);
    },
  };
  host.append(shadow.host);
  mounted.set(host, made);
  return made;
}

expose('SvcImport', { mount } satisfies SvcImportWidget);
