// The checklist widget: one script, one global name. The page calls SvcActivate.mount(element, { sessionPath }).
import { expose } from '../shared/expose.ts';
import { relabel } from '../shared/labels.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { complain, makeRoot, tell } from '../shared/root.ts';
import { watch } from './source.ts';
import css from './style.css?inline';
import type {
  SvcActivateLabels,
  SvcActivateMount,
  SvcActivateOptions,
  SvcActivateWidget,
} from './svcactivate-widget.d.ts';
import { checklistView } from './view.ts';

const LABELS: SvcActivateLabels = {
  region: 'Getting started',
  count: '{0} of {1}',
  done: 'done',
  todo: 'open',
  go: 'Open',
  complete: 'All steps are done',
  fold: 'Fold away',
  dismiss: 'Dismiss',
  unreachable: 'Progress cannot be read',
  harmless: 'Nothing is lost.',
  retry: 'Try again',
};

const NOTHING: SvcActivateMount = { refresh: async () => undefined, destroy: () => undefined };

const mounted = new WeakMap<Element, SvcActivateMount>();

/** True if the user has dismissed the checklist that has a page's key, or does so now. A browser may remember nothing. */
function isDismissed(key: string, now = false): boolean {
  const item = `svcactivate:dismissed:${key}`;
  try {
    if (now) localStorage[item] = 1;
    return item in localStorage;
  } catch {
    return false;
  }
}

function mount(element: Element, options: SvcActivateOptions): SvcActivateMount {
  const own = Object(options) as Partial<SvcActivateOptions>;
  const { dismissalKey } = own;
  const path = parseUrl(own.sessionPath ?? '//', location.href);
  if (!(element instanceof Element) || path?.origin !== location.origin) {
    complain('SvcActivate.mount needs an element and a local sessionPath');
    return NOTHING;
  }
  mounted.get(element)?.destroy();
  if (dismissalKey && isDismissed(dismissalKey)) return NOTHING;
  const watched = watch(path.href, (...shown) => show(...shown));
  const shadow = makeRoot(css, { in: watched.join, out: watched.leave });
  const dismiss = (): void => {
    made.destroy();
    if (dismissalKey) isDismissed(dismissalKey, true);
    // The focus was on the button that is gone: a keyboard and a screen reader continue here.
    const place = element as HTMLElement;
    place.tabIndex = Math.max(-1, place.tabIndex);
    place.focus();
    tell(element, 'svcactivate:dismissed', own.onDismissed);
  };
  const show = checklistView(shadow, {
    labels: relabel(LABELS, own.labels),
    links: own.links,
    level: own.headingLevel as number,
    retry: watched.refresh,
    completed: (news) => tell(element, 'svcactivate:completed', own.onCompleted, news),
    dismiss: own.dismissible && dismiss,
  });
  const made: SvcActivateMount = { refresh: watched.refresh, destroy: () => shadow.host.remove() };
  element.append(shadow.host);
  mounted.set(element, made);
  return made;
}

expose('SvcActivate', { mount } satisfies SvcActivateWidget, (element) => {
  element?.append(LABELS.unreachable);
  return NOTHING;
});
