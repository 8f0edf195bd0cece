// The feedback widget: one script, one global name. The loader calls SvcFeedback.start; a page may call SvcFeedback.mount.
import { expose } from '../shared/expose.ts';
import { relabel } from '../shared/labels.ts';
import { complain, openRoot } from '../shared/root.ts';
import css from './style.css?inline';
import type {
  SvcFeedbackLabels,
  SvcFeedbackMount,
  SvcFeedbackOptions,
  SvcFeedbackReceived,
  SvcFeedbackWidget,
} from './svcfeedback-widget.d.ts';
import { FeedbackView } from './view.ts';

const LABELS: SvcFeedbackLabels = {
  title: 'Feedback',
  question: 'What went well, what did not?',
  count: '{0} of {1}. Sent without your name.',
  rate: 'How did it go?',
  optional: 'Optional',
  rate1: 'Badly',
  rate2: 'Not well',
  rate3: 'So-so',
  rate4: 'Well',
  rate5: 'Very well',
  send: 'Send',
  sending: 'Sending',
  again: 'Send again',
  close: 'Close',
  received: 'Received',
  thanks: 'Thank you. A person reads it; there is no answer by e-mail.',
  notSent: 'Not sent.',
  empty: 'Write something first.',
  lost: 'The connection was lost. Your text is kept here.',
  busy: 'Too much was sent from here. Wait a minute; your text is kept here.',
  refused: 'No feedback is taken at the moment. Your text is kept here.',
};

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
    const detail: SvcFeedbackReceived = { submissionId };
    host.dispatchEvent(new CustomEvent('svcfeedback:received', { bubbles: true, composed: true, detail }));
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
