import { HIDDEN } from '../../schemas/base/hidden.ts';
import { type Attributes, button, type Child, h, heading } from '../shared/dom.ts';
import { fillIn } from '../shared/labels.ts';
import { LABELS, type Label, labelsOf, type Texts } from './labels.ts';
import { around, VALUE } from './values.ts';

/** The steps of an import, in order. */
export const STEPS = ['stepFile', 'stepColumns', 'stepCheck', 'stepApprove'] as const;
export type Step = (typeof STEPS)[number];

/** The visible part of the widget: a heading, the steps, and the content of one step. */
export class Card {
  texts: Texts;
  readonly #own: unknown;
  readonly #shadow: ShadowRoot;
  readonly #styles = new Set<string>();
  readonly #card: HTMLElement;
  readonly #heading: HTMLElement;
  readonly #live = h('div', { class: 'vh', role: 'status' });
  #isFirst = true;
  #isBusy = false;
  #arrived = (): void => undefined;

  /** @param own the texts of the page */
  constructor(shadow: ShadowRoot, own: unknown, headingLevel: number) {
    const texts = labelsOf(LABELS, own);
    this.#shadow = shadow;
    this.texts = texts;
    this.#own = own;
    this.#heading = heading(headingLevel, texts.title, { tabindex: -1 });
    this.#card = h('section', { class: 'card', role: 'group', 'aria-label': texts.title });
    shadow.append(this.#card, this.#live);
    for (const name of ['dragover', 'drop']) {
      this.#card.addEventListener(name, (event) => {
        // The browser would open a file that is dropped here in place of the page.
        event.preventDefault();
        // A page that takes or refuses files wherever they are dropped has no part in these.
        event.stopPropagation();
      });
    }
  }

  /** Adds the texts of a part that was loaded, with those of the page in their place. */
  add(texts: Partial<Texts>): void {
    this.texts = { ...this.texts, ...labelsOf(texts, this.#own) };
  }

  /** Adds the style of a part that was loaded, once. */
  addStyle(css: string): void {
    if (this.#styles.has(css)) return;
    this.#styles.add(css);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.#shadow.adoptedStyleSheets.push(sheet);
  }

  /** Resolves while the widget is in the page, or once it is there again. */
  whenHere(): Promise<void> {
    if (this.#card.isConnected) return Promise.resolve();
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Says that the widget has come to a page. */
  arrive(): void {
    this.#arrived();
    // The browser has scrolled tables to their start.
    for (const each of this.#card.querySelectorAll('.scroll')) each.dispatchEvent(new Event('scroll'));
  }

  /** Fills a text, in its form for one where the first value is 1. Numbers get the separators of the page's language. */
  text(name: Label, ...values: readonly (string | number)[]): string {
    const texts: Readonly<Record<string, string>> = this.texts;
    const text = (values[0] === 1 && texts[`${name}One`]) || this.texts[name];
    return fillIn(text, ...values.map((value) => value.toLocaleString()));
  }

  /**
   * Fills a text whose first value is the name of a file. The browser does not translate the name with the text, and the name
   * turns the direction of nothing around it.
   */
  named(label: Label, name: string, ...values: readonly string[]): (Node | string)[] {
    return around(
      this.text(label, VALUE, ...values),
      h('bdi', { translate: 'no' }, name.replace(HIDDEN, '\ufffd')),
    );
  }

  /** Makes a button that leads to another content. Until that is shown, it and all other buttons are disabled. */
  action(label: string, act: () => void, more: Attributes = {}): HTMLButtonElement {
    const onclick = ({ detail }: { readonly detail: number }): void => {
      // The second click of a double click may meet a button of the next content.
      if (this.#isBusy || detail > 1) return;
      this.#isBusy = true;
      for (const each of this.#card.querySelectorAll('button')) each.setAttribute('aria-disabled', 'true');
      act();
    };
    return button(label, onclick, more);
  }

  /**
   * Shows the content of a step. The focus moves to the heading, so that a keyboard and a screen reader continue there; at
   * the first call it stays where the page has it.
   */
  show(step: Step | null, ...content: readonly Child[]): void {
    const at = step === null ? STEPS.length : STEPS.indexOf(step);
    const steps = STEPS.map((name, index) =>
      h(
        'li',
        { class: index < at ? 'past' : '', ...(index === at ? { 'aria-current': 'step' } : {}) },
        this.texts[name],
      ),
    );
    const parts = content.filter((part) => part !== null && part !== false) as (Node | string)[];
    const line = h('ol', { 'aria-label': this.texts.progress }, ...steps);
    this.#card.replaceChildren(h('header', {}, this.#heading), line, ...parts);
    this.#live.textContent = '';
    this.#isBusy = false;
    if (!this.#isFirst) this.#heading.focus();
    this.#isFirst = false;
  }

  /** Tells a screen reader about progress. */
  say(text: string): void {
    if (this.#live.textContent !== text) this.#live.textContent = text;
  }
}

/** A refusal in place, which a screen reader reads at once. */
export function alertOf(title: string | readonly Child[], text = ''): HTMLElement {
  return h('div', { class: 'alert', role: 'alert' }, h('b', {}, ...[title].flat()), text);
}
