// The feedback widget: one script, one global name. The loader calls SvcFeedback.start; a page may call SvcFeedback.mount.
import { expose } from '../shared/expose.ts';
import { relabel } from '../shared/labels.ts';
import { complain, openRoot, tell } from '../shared/root.ts';
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

/** The mounts on this page by widget. */
const mounted = new Map<string, SvcFeedbackMount & { isHere(): boolean }>();

function mount(options: SvcFeedbackOptions): SvcFeedbackMount {
  const {
    widgetId = '',
    ingestOrigin,
    target,
    labels,
    headingLevel,
    onReceived,
  } = Object(options) as Partial<SvcFeedbackOptions>;
  const ingest = URL.parse(String(ingestOrigin));
  if (!/^wid_[a-z2-7]{24}$/.test(widgetId) || ingest === null) {
    complain('SvcFeedback.mount needs a widgetId and an ingestOrigin');
    return NOTHING;
  }
  const known = mounted.get(widgetId);
  if (known?.isHere() === true) return known;
  const root = openRoot(target ?? document.body, css);
  const { host } = root.shadow;
  host.setAttribute('data-svcfeedback', '');
  if (target != null) host.setAttribute('data-inline', '');
  const url = new URL(`/v1/feedback/${widgetId}/submissions`, ingest).href;
  const looks = { labels: relabel(LABELS, labels), level: Number(headingLevel) };
  const view = new FeedbackView(root.shadow, looks, url, (submissionId) => {
    host.setAttribute('data-submission-id', submissionId);
    tell(host, 'svcfeedback:received', onReceived, { submissionId });
  });
  const made = {
    isHere: root.isHere,
    open: () => view.open(),
    destroy() {
      root.remove();
      if (mounted.get(widgetId) === made) mounted.delete(widgetId);
    },
  };
  mounted.set(widgetId, made);
  return made;
}

function start(options: SvcFeedbackOptions, tag: Element | null): void {
  const begin = (): void => {
    const selector = tag?.getAttribute('data-target');
    const labels = tag?.getAttribute('data-labels');
    try {
      mount({
        ...options,
        target: selector == null ? null : document.querySelector(selector),
        headingLevel: Number(tag?.getAttribute('data-heading-level')) as 3,
        ...(labels == null ? {} : { labels: JSON.parse(labels) as Partial<SvcFeedbackLabels> }),
      });
    } catch {
      complain('data-target has to be a selector, and data-labels JSON');
    }
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
}

expose('SvcFeedback', { mount, start } satisfies SvcFeedbackWidget);

// Without the loader: a tag with `integrity` names this file, and the widget in `data-widget-id`.
const own = document.currentScript;
const widgetId = own?.getAttribute('data-widget-id');
if (own instanceof HTMLScriptElement && widgetId != null) {
  globalThis.SvcFeedback.start({ widgetId, ingestOrigin: new URL(own.src).origin }, own);
}
