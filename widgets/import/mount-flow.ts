import './grid-keys.ts';

import { h } from '../shared/dom.ts';
import { makeRoot } from '../shared/root.ts';
import { Card } from './card.ts';
import { ImportFlow } from './flow.ts';
import type { FlowOptions } from './flow-options.ts';
import css from './style.css?inline';
import type { SvcImportEnd, SvcImportMount, SvcImportOptions } from './svcimport-widget.d.ts';

/** Puts the steps of an import into an element. */
export function mountFlow(
  {
    host,
    labels,
    headingLevel,
    ...options
  }: FlowOptions & Pick<SvcImportOptions, 'host' | 'labels' | 'headingLevel'>,
  onEnd: (end: SvcImportEnd) => void,
): SvcImportMount {
  const shadow = makeRoot(css, { in: () => card.arrive(), out: () => undefined });
  const card = new Card(shadow, labels, Number(headingLevel));
  if (options.session === undefined)
    card.show('stepFile', h('p', { 'aria-busy': 'true' }, card.text('loading')));
  const flow = new ImportFlow(card, options, onEnd);
  host.append(shadow.host);
  return {
    destroy() {
      flow.stop();
      shadow.host.remove();
    },
  };
}
