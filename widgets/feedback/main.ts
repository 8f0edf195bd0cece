// The feedback widget: one script, one global name. The loader calls SvcFeedback.start; a page may call SvcFeedback.mount.
import { expose } from '../shared/expose.ts';
import { relabel } from '../shared/labels.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { complain, makeRoot, tell } from '../shared/root.ts';
import { LABELS } from './labels.ts';
import css from './style.css?inline';
import type {
  SvcFeedbackLabels,
  SvcFeedbackMount,
  SvcFeedbackOptions,
  SvcFeedbackWidget,
} from './svcfeedback-widget.d.ts';
import { FeedbackView } from './view.ts';

const NOTHING: SvcFeedbackMount = { open: () => undefined, destroy: () => undefined };

/** The returns of a button to a page that replaces its content. A page that takes it away each time wins in the end. */
const RETURNS_MAX = 1_000;

/** The options of a page. The target is false while the page lacks the element that its tag names. */
type Options = Omit<SvcFeedbackOptions, 'target'> & { readonly target?: Element | null | false };

/** The mounts on this page by widget. */
const mounted = new Map<string, SvcFeedbackMount & { put(options: Options): void }>();

function mount(options: Options): SvcFeedbackMount {
  const {
    widgetId = '',
    ingestOrigin,
    labels,
    headingLevel,
    onReceived,
  } = Object(options) as Partial<Options>;
  const ingest = parseUrl(String(ingestOrigin));
  if (!/^wid_[a-z2-7]{24}$/.test(widgetId) || ingest === null) {
    complain('SvcFeedback.mount needs a widgetId and an ingestOrigin');
    return NOTHING;
  }
  const known = mounted.get(widgetId);
  known?.put(options);
  if (known !== undefined) return known;
  let returns = 0;
  const arrivals = new MutationObserver(() => made.put(options));
  const shadow = makeRoot(css, {
    in: () => view.restore(),
    out() {
      returns += 1;
      // Later: a page that moves the widget puts it back itself.
      setTimeout(() => {
        if (returns < RETURNS_MAX) made.put(options);
      });
    },
  });
  const { host } = shadow;
  host.setAttribute('data-svcfeedback', '');
  const url = new URL(`/v1/feedback/${widgetId}/submissions`, ingest).href;
  const looks = { labels: relabel(LABELS, labels), level: Number(headingLevel) };
  const view = new FeedbackView(shadow, looks, url, (submissionId) => {
    host.setAttribute('data-submission-id', submissionId);
    tell(host, 'svcfeedback:received', onReceived, { submissionId });
  });
  const made = {
    open: () => view.open(),
    /** Puts the widget into the page, if the page has replaced what was around it. */
    put({ target }: Options) {
      const place = target ?? document.body;
      arrivals.disconnect();
      if (host.isConnected || host.parentNode === place) return;
      if (!place) {
        arrivals.observe(document, { childList: true, subtree: true });
        return;
      }
      host.toggleAttribute('data-floating', place === document.body);
      place.append(host);
    },
    destroy() {
      returns = RETURNS_MAX;
      arrivals.disconnect();
      if (mounted.get(widgetId) === made) mounted.delete(widgetId);
      host.remove();
    },
  };
  mounted.set(widgetId, made);
  made.put(options);
  return made;
}

function start(options: SvcFeedbackOptions, tag: HTMLElement | SVGElement | null): void {
  const begin = (): void => {
    const { target, labels = '{}', headingLevel } = tag?.dataset ?? {};
    // Each page that replaces another has its own element.
    const find = () => (target === undefined ? null : (document.querySelector(target) ?? false));
    let own: Partial<SvcFeedbackLabels>;
    try {
      own = JSON.parse(labels);
      find();
    } catch {
      complain('data-target has to be a selector, and data-labels JSON');
      return;
    }
    globalThis.SvcFeedback.mount({
      ...options,
      get target() {
        return find();
      },
      headingLevel: Number(headingLevel) as 3,
      labels: own,
    } as SvcFeedbackOptions);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
}

expose(
  'SvcFeedback',
  { mount, start } satisfies SvcFeedbackWidget,
  // A button that opens nothing is worth less than none.
  () => NOTHING,
);

// Without the loader: a tag with `integrity` names this file, and the widget in `data-widget-id`.
const own = document.currentScript;
const widgetId = own?.dataset['widgetId'];
if (own instanceof HTMLScriptElement && widgetId !== undefined) {
  globalThis.SvcFeedback.start({ widgetId, ingestOrigin: new URL(own.src).origin }, own);
}
