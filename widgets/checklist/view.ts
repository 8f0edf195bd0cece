import type { Progress } from '../../schemas/activate/http.ts';
import { bar, button, type Child, fill, h, heading, hidden, tick } from '../shared/dom.ts';
import { fillIn, relabel } from '../shared/labels.ts';
import { parseUrl } from '../shared/parse-url.ts';
import type { Step } from './progress.ts';
import { isProgress, type Show, type View } from './source.ts';
import type { SvcActivateCompleted, SvcActivateLabels } from './svcactivate-widget.d.ts';

/** The choices of a page for its checklist, and the functions that its view calls. */
export interface ViewOptions {
  readonly labels: SvcActivateLabels;
  /** The texts of links by the keys of their steps. */
  readonly links: unknown;
  /** Of the heading. */
  readonly level: number;
  readonly retry: () => unknown;
  readonly completed: (news: SvcActivateCompleted) => void;
  /** Absent if users cannot dismiss the checklist. */
  readonly dismiss: (() => void) | false | undefined;
}

/** Prepares a checklist in a shadow root. Returns a function that shows a view. The page changes only if there is something new. */
export function checklistView(shadow: ShadowRoot, options: ViewOptions): Show {
  const { labels, dismiss } = options;
  const card = h('section', { class: 'card', role: 'group' });
  const live = h('div', { class: 'vh', role: 'status' });
  shadow.append(card, live);
  let shown: View = 'loading';
  /** Not so at the first call, which draws. */
  let couldRetry = false;
  let isFolded = false;
  const render = (): void => {
    const focused = shadow.activeElement;
    card.hidden = shown === 'ended';
    card.setAttribute('aria-label', isProgress(shown) ? shown.name : labels.region);
    card.replaceChildren();
    fill(card, {}, isProgress(shown) ? listOf(shown) : waiting());
    // The link of the same step gets the focus again.
    if (focused) (shadow.getElementById(focused.id) ?? card.querySelector<HTMLElement>(FOCUSABLE))?.focus();
  };
  const waiting = (): Child[] => {
    if (shown === 'loading') return [labels.region];
    const text = h('p', { role: 'status' }, h('b', {}, labels.unreachable), labels.harmless);
    return [text, couldRetry && button(labels.retry, options.retry)];
  };
  const listOf = (progress: Progress): Child[] => {
    const { name, complete, completedSteps, totalSteps, steps } = progress;
    const count = h('span', { class: 'count' }, countOf(progress, labels));
    const header = h('header', {}, heading(options.level, name), count);
    const list = h('ol', {}, ...steps.map((step) => stepOf(step, options)));
    if (isFolded) return [h('details', {}, h('summary', {}, header), list)];
    const onFold = (): void => {
      isFolded = true;
      render();
    };
    return [
      header,
      bar(completedSteps / totalSteps),
      complete ? h('div', { class: 'with-tick' }, tick(), h('b', {}, labels.complete)) : list,
      dismiss ? button(labels.dismiss, dismiss) : complete && button(labels.fold, onFold),
    ];
  };
  return (view, canRetry, isFirst) => {
    if (view === shown && canRetry === couldRetry) return;
    const before = shown;
    shown = view;
    couldRetry = canRetry;
    if (isProgress(view)) {
      // A list that is complete when the page first reads it folds away, unless it waits to be dismissed.
      if (!isProgress(before)) isFolded = view.complete && !dismiss;
      else if (isFirst) say(view, before, live, options);
    }
    render();
  };
}

/** Says what was completed since the view before, to screen readers and to the page. */
function say(progress: Progress, before: Progress, live: Element, { labels, completed }: ViewOptions): void {
  const { complete, steps } = progress;
  const open = new Set(before.steps.flatMap((step) => (step.completed ? [] : [step.key])));
  const news = steps.filter((step) => step.completed && open.has(step.key));
  if (news.length === 0) return;
  const end = complete ? labels.complete : countOf(progress, labels);
  live.textContent = `${news.map(({ label }) => `${label}, ${labels.done}. `).join('')}${end}`;
  completed({ steps: news.map(({ key }) => key), complete });
}

function countOf({ completedSteps, totalSteps }: Progress, { count }: SvcActivateLabels): string {
  return fillIn(count, completedSteps, totalSteps);
}

function stepOf(
  { key, label, description, actionPath, completed }: Step,
  { labels, links }: ViewOptions,
): Element {
  const url = parseUrl(actionPath, location.origin);
  const text = relabel({ [key]: labels.go }, links)[key] ?? '';
  return h(
    'li',
    { class: completed ? 'with-tick ok' : 'with-tick' },
    tick(completed),
    h(
      'div',
      {},
      h('b', {}, label, hidden(`, ${completed ? labels.done : labels.todo}`)),
      !completed && description !== '' && h('p', {}, description),
      !completed &&
        url?.origin === location.origin &&
        h('a', { href: url.href, target: '_self', id: key }, text, hidden(` ${label}`)),
    ),
  );
}

const FOCUSABLE = 'a, button, summary';
