// The checklist widget: one script, one global name. The page calls SvcActivate.mount(element, { sessionPath }).
import { expose } from '../shared/expose.ts';
import { relabel } from '../shared/labels.ts';
import { complain, openRoot, tell } from '../shared/root.ts';
import { watch } from './source.ts';
import css from './style.css?inline';
import type {
  SvcActivateLabels,
  SvcActivateMount,
  SvcActivateOptions,
  SvcActivateWidget,
} from './svcactivate-widget.d.ts';
import { ChecklistView } from './view.ts';

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

function mount(element: Element, options: SvcActivateOptions): SvcActivateMount {
  const own = Object(options) as Partial<SvcActivateOptions>;
  const path = URL.parse(own.sessionPath ?? '//', location.href);
  if (!(element instanceof Element) || path?.origin !== location.origin) {
    complain('SvcActivate.mount needs an element and a local sessionPath');
    return NOTHING;
  }
  mounted.get(element)?.destroy();
  const root = openRoot(element, css);
  const dismiss = (): void => {
    made.destroy();
    tell(element, 'svcactivate:dismissed', own.onDismissed);
  };
  const view = new ChecklistView(root.shadow, {
    labels: relabel(LABELS, own.labels),
    links: new Map(Object.entries(own.links ?? {})),
    level: own.headingLevel as number,
    retry: () => watched.refresh(),
    completed: (news) => tell(element, 'svcactivate:completed', own.onCompleted, news),
    dismiss: own.dismissible === true && dismiss,
  });
  const watched = watch(path.href, { isHere: root.isHere, show: view.show.bind(view) });
  const made: SvcActivateMount = {
    refresh: () => watched.refresh(),
    destroy() {
      watched.leave();
      root.remove();
    },
  };
  mounted.set(element, made);
  return made;
}

expose('SvcActivate', { mount } satisfies SvcActivateWidget);
