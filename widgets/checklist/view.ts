import { bar, button, type Child, h, heading, hidden, PLACE, tick } from '../shared/dom.ts';
import { fillIn } from '../shared/labels.ts';
import type { Progress, Step } from './progress.ts';
import { isProgress, type View } from './source.ts';
import type { SvcActivateCompleted, SvcActivateLabels } from './svcactivate-widget.d.ts';

/** The choices of a page for its checklist, and the functions that its view calls. */
export interface ViewOptions {
  readonly labels: SvcActivateLabels;
  /** The texts of links by the keys of their steps. */
  readonly links: ReadonlyMap<string, string>;
  /** Of the heading. */
  readonly level: number;
  readonly retry: () => unknown;
  readonly completed: (news: SvcActivateCompleted) => void;
  /** False if users cannot dismiss the checklist. */
  readonly dismiss: (() => void) | false;
}

export class ChecklistView {
  readonly #shadow: ShadowRoot;
  readonly #options: ViewOptions;
  readonly #card = h('section', { class: 'card', role: 'group' });
  readonly #live = h('div', { class: 'vh', role: 'status' });
  #shown: View = 'loading';
  /** Not so at the first call of {@link show}, which draws. */
  #canRetry = false;
  #isFolded = false;

  constructor(shadow: ShadowRoot, options: ViewOptions) {
    this.#shadow = shadow;
    this.#options = options;
    shadow.append(this.#card, this.#live);
  }

  /** Shows a view. The page changes only if there is something new. */
  show(view: View, canRetry: boolean): void {
    const before = this.#shown;
    if (view === before && canRetry === this.#canRetry) return;
    if (isProgress(view)) {
      if (isProgress(before)) this.#say(view, before);
      // A list that is complete when the page first reads it was said to fold away.
      else this.#isFolded = view.complete;
    }
    this.#shown = view;
    this.#canRetry = canRetry;
    this.#render(view);
  }

  #say(progress: Progress, before: Progress): void {
    const { complete, done } = this.#options.labels;
    const news = progress.steps.filter(
      ({ key, completed }) => completed && !before.steps.some((old) => old.key === key && old.completed),
    );
    if (news.length === 0) return;
    const end = progress.complete ? complete : this.#count(progress);
    this.#live.textContent = `${news.map(({ label }) => `${label}, ${done}. `).join('')}${end}`;
    this.#options.completed({ steps: news.map(({ key }) => key), complete: progress.complete });
  }

  #count({ completedSteps, totalSteps }: Progress): string {
    return fillIn(this.#options.labels.count, completedSteps, totalSteps);
  }

  #render(view: View): void {
    const card = this.#card;
    const place = this.#shadow.activeElement?.getAttribute(PLACE);
    card.hidden = view === 'ended';
    card.setAttribute('aria-label', isProgress(view) ? view.name : this.#options.labels.region);
    card.replaceChildren(...(this.#parts(view).filter((part) => part) as Node[]));
    if (typeof place !== 'string') return;
    const places = [...card.querySelectorAll<HTMLElement>(`[${PLACE}]`)];
    (places.find((each) => each.getAttribute(PLACE) === place) ?? places[0])?.focus();
  }

  #parts(view: View): Child[] {
    if (isProgress(view)) return this.#list(view);
    const { region, unreachable, harmless, retry } = this.#options.labels;
    if (view === 'loading') return [region];
    const text = h('p', { role: 'status' }, h('b', {}, unreachable), harmless);
    const again = this.#canRetry && button(retry, this.#options.retry);
    return [text, again];
  }

  #list(progress: Progress): Child[] {
    const { labels, level, dismiss } = this.#options;
    const { name, complete, completedSteps, totalSteps } = progress;
    const header = h(
      'header',
      {},
      heading(level, name),
      h('span', { class: 'count' }, this.#count(progress)),
    );
    const list = h('ol', {}, ...progress.steps.map((step) => stepOf(step, this.#options)));
    if (this.#isFolded) return [h('details', {}, h('summary', { [PLACE]: '' }, header), list)];
    const onFold = (): void => {
      this.#isFolded = true;
      this.#render(progress);
    };
    return [
      header,
      bar(completedSteps / totalSteps),
      complete ? h('div', { class: 'with-tick' }, tick(), h('b', {}, labels.complete)) : list,
      dismiss ? button(labels.dismiss, dismiss) : complete && button(labels.fold, onFold),
    ];
  }
}

function stepOf(
  { key, label, description, actionPath, completed }: Step,
  { labels, links }: ViewOptions,
): Element {
  const parts: Child[] = [h('b', {}, label, hidden(`, ${completed ? labels.done : labels.todo}`))];
  if (!completed) {
    const url = URL.parse(actionPath, location.origin);
    if (description !== '') parts.push(h('p', {}, description));
    if (url?.origin === location.origin) {
      parts.push(h('a', { href: url.href, [PLACE]: key }, links.get(key) ?? labels.go, hidden(` ${label}`)));
    }
  }
  return h(
    'li',
    { class: completed ? 'with-tick ok' : 'with-tick' },
    tick(completed),
    h('div', {}, ...parts),
  );
}
