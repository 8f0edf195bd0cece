import { bar, button, type Child, h, hidden, PLACE, tick } from '../shared/dom.ts';
import { fillIn } from '../shared/labels.ts';
import type { Progress, Step } from './progress.ts';
import { isProgress, type View } from './source.ts';
import type { SvcActivateLabels } from './svcactivate-widget.d.ts';

/** A checklist in a shadow root. */
export class ChecklistView {
  readonly #shadow: ShadowRoot;
  readonly #labels: SvcActivateLabels;
  readonly #retry: () => void;
  readonly #card = h('section', { class: 'card', role: 'group' });
  readonly #live = h('div', { class: 'vh', role: 'status' });
  #shown: View | null = null;
  #canRetry = true;
  #isFolded = false;
  #isOpened = false;

  constructor(shadow: ShadowRoot, labels: SvcActivateLabels, retry: () => void) {
    this.#shadow = shadow;
    this.#labels = labels;
    this.#retry = retry;
    shadow.append(this.#card, this.#live);
  }

  /** Shows a view. The page changes only if there is something new. */
  show(view: View, canRetry: boolean): void {
    const before = this.#shown;
    if (view === before && canRetry === this.#canRetry) return;
    if (isProgress(view)) {
      if (before !== null && isProgress(before)) this.#say(view, before);
      // A list that is complete when the page first reads it was said to fold away.
      else this.#isFolded = view.complete;
    }
    this.#shown = view;
    this.#canRetry = canRetry;
    this.#render(view);
  }

  #say(progress: Progress, before: Progress): void {
    const { complete, done } = this.#labels;
    const news = progress.steps.filter(
      ({ key, completed }) => completed && !before.steps.some((old) => old.key === key && old.completed),
    );
    if (news.length === 0) return;
    const end = progress.complete ? complete : this.#count(progress);
    this.#live.textContent = `${news.map(({ label }) => `${label}, ${done}. `).join('')}${end}`;
  }

  #count({ completedSteps, totalSteps }: Progress): string {
    return fillIn(this.#labels.count, completedSteps, totalSteps);
  }

  #render(view: View): void {
    const card = this.#card;
    const place = this.#shadow.activeElement?.getAttribute(PLACE);
    card.hidden = view === 'ended';
    card.setAttribute('aria-label', isProgress(view) ? view.name : this.#labels.region);
    card.setAttribute('aria-busy', String(view === 'loading'));
    card.replaceChildren(...(this.#parts(view).filter((part) => part !== false) as Node[]));
    if (typeof place !== 'string') return;
    const places = [...card.querySelectorAll<HTMLElement>(`[${PLACE}]`)];
    (places.find((each) => each.getAttribute(PLACE) === place) ?? places[0])?.focus();
  }

  #parts(view: View): Child[] {
    if (isProgress(view)) return this.#list(view);
    const { unreachable, harmless, retry } = this.#labels;
    if (view === 'loading') return [h('i'), h('i'), h('i')];
    const text = h('p', { role: 'status' }, h('b', {}, unreachable), harmless);
    const again = this.#canRetry && button(retry, this.#retry);
    return [text, again];
  }

  #list(progress: Progress): Child[] {
    const { complete, folds, fold } = this.#labels;
    const { name, completedSteps, totalSteps } = progress;
    const count = h('span', { class: 'count' }, this.#count(progress));
    const list = h('ol', {}, ...progress.steps.map((step) => stepOf(step, this.#labels)));
    const toggle = (): void => {
      this.#isOpened = this.#isFolded && !this.#isOpened;
      this.#isFolded = true;
      this.#render(progress);
    };
    if (this.#isFolded) {
      const folded = button('', toggle, { class: 'fold', 'aria-expanded': this.#isOpened });
      folded.append(tick(), h('span', {}, name), count);
      return [folded, this.#isOpened && list];
    }
    const text = h('p', {}, h('b', {}, complete), folds);
    return [
      h('header', {}, h('h3', {}, name), count),
      bar(completedSteps / totalSteps),
      progress.complete ? h('div', { class: 'with-tick' }, tick(), text, button(fold, toggle)) : list,
    ];
  }
}

function stepOf(
  { key, label, description, actionPath, completed }: Step,
  labels: SvcActivateLabels,
): Element {
  const parts: Child[] = [h('b', {}, label, hidden(`, ${completed ? labels.done : labels.todo}`))];
  if (!completed) {
    const url = URL.parse(actionPath, location.origin);
    if (description !== '') parts.push(h('p', {}, description));
    if (url?.origin === location.origin) {
      parts.push(h('a', { href: url.href, [PLACE]: key }, labels.go, hidden(` ${label}`)));
    }
  }
  return h(
    'li',
    { class: completed ? 'with-tick ok' : 'with-tick' },
    tick(completed),
    h('div', {}, ...parts),
  );
}
