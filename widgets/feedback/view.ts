import { button, h, heading, s, tick } from '../shared/dom.ts';
import { fillIn } from '../shared/labels.ts';
import { type Content, newSubmissionId, type Result, send } from './send.ts';
import type { SvcFeedbackLabels } from './svcfeedback-widget.d.ts';

const MESSAGE_CHARACTERS_MAX = 2_000;
const MOST = MESSAGE_CHARACTERS_MAX.toLocaleString();
const PATH_CHARACTERS_MAX = 512;

/** The button and the dialog of a widget in a shadow root. */
export class FeedbackView {
  readonly #labels: SvcFeedbackLabels;
  readonly #url: string;
  readonly #received: (submissionId: string) => void;
  readonly #dialog: HTMLDialogElement;
  readonly #body = h('div');
  /** The form that a visitor has begun; null after it was received. */
  #form: FeedbackForm | null = null;

  /**
   * @param level of the dialog's heading
   * @param url takes submissions
   * @param received hears of each submission that is stored
   */
  constructor(
    shadow: ShadowRoot,
    { labels, level }: { readonly labels: SvcFeedbackLabels; readonly level: number },
    url: string,
    received: (id: string) => void,
  ) {
    this.#labels = labels;
    this.#url = url;
    this.#received = received;
    const close = button('', () => this.#dialog.close(), { class: 'icon', 'aria-label': labels.close });
    close.append(icon('m4.25 4.25 7.5 7.5M11.75 4.25l-7.5 7.5'));
    this.#dialog = h(
      'dialog',
      // With the focus on the dialog and not on the page behind it, its keys are not the page's.
      { class: 'card', 'aria-labelledby': 'title', tabindex: -1 },
      h('header', {}, heading(level, labels.title, { id: 'title' }), close),
      this.#body,
    );
    const launch = button('', () => this.open(), { 'aria-haspopup': 'dialog' });
    launch.append(icon('M2.5 3.5h11v7.5H7l-3 2.5V11H2.5V3.5Z'), labels.title);
    shadow.append(h('div', { class: 'card launch' }, launch), this.#dialog);
  }

  /** Opens the dialog with what was written before, or with an empty form. */
  open(): void {
    if (this.#dialog.open) return;
    if (this.#form === null) {
      this.#form = new FeedbackForm(this.#labels, (id, content, signs) =>
        send(this.#url, id, content, signs),
      );
      this.#form.received = (id) => this.#thank(id);
      this.#body.replaceChildren(this.#form.element);
    }
    this.#dialog.showModal();
    this.#form.focus();
  }

  /** Shows the open dialog above the page again, which a page ends that moves the widget. */
  restore(): void {
    if (!this.#dialog.open) return;
    this.#dialog.close();
    this.#dialog.showModal();
    this.#form?.focus();
  }

  /** Says that the submission is stored, in the place of the form. */
  #thank(submissionId: string): void {
    const { received, thanks, close } = this.#labels;
    this.#form = null;
    const text = h('p', {}, h('b', {}, received), thanks);
    const shut = button(close, () => this.#dialog.close(), { class: 'wide' });
    const said = h('div', { role: 'status' });
    this.#body.replaceChildren(said, shut);
    // A live region says what comes into it, and not what it comes with.
    said.append(h('div', { class: 'with-tick' }, tick(), text));
    if (this.#dialog.open) shut.focus();
    this.#received(submissionId);
  }
}

type Send = (id: string, content: Content, signs: Parameters<typeof send>[3]) => Promise<Result>;

/** One submission, from the first character until it is stored. */
class FeedbackForm {
  readonly element: HTMLFormElement;
  received: (submissionId: string) => void = () => undefined;
  readonly #labels: SvcFeedbackLabels;
  readonly #send: Send;
  readonly #text = h('textarea', {
    rows: 4,
    required: '',
    'aria-describedby': 'count error',
    oninput: () => this.#showCount(),
  });
  readonly #count = h('small', { id: 'count' });
  readonly #error = h('div', { id: 'error', role: 'alert' });
  readonly #submit: HTMLButtonElement;
  /** A trap: people neither see it nor reach it by keyboard. */
  readonly #website = h('input', { name: 'website', tabindex: -1, autocomplete: 'off' });
  readonly #openedAt = performance.now();
  #rating = 0;
  #isSending = false;
  /** The id of the latest attempt and the content that it stands for: the same content keeps its id. */
  #attempt = { content: '', id: '' };

  constructor(labels: SvcFeedbackLabels, sender: Send) {
    this.#labels = labels;
    this.#send = sender;
    // Not a button of the form: a page in a sandboxed frame may not be allowed to submit forms.
    this.#submit = button(labels.send, () => void this.#trySend(), {
      class: 'primary',
      type: 'button',
    });
    this.element = h(
      'form',
      { novalidate: '', onsubmit: (event: Event) => this.#onEnter(event) },
      h('label', {}, labels.question, this.#text, this.#count),
      this.#rates(),
      h('div', { class: 'vh', 'aria-hidden': 'true' }, this.#website),
      this.#error,
      this.#submit,
    );
    this.#showCount();
  }

  focus(): void {
    this.#text.focus();
  }

  #rates(): HTMLElement {
    const { rate, optional, rate1, rate2, rate3, rate4, rate5 } = this.#labels;
    const names = [rate1, rate2, rate3, rate4, rate5];
    const choices = names.map((name, index) => {
      const rating = index + 1;
      const choose = ({ target }: { target: HTMLInputElement }) => {
        // A second click takes the rating back.
        target.checked = this.#rating !== rating;
        this.#rating = target.checked ? rating : 0;
      };
      const input = h('input', {
        type: 'radio',
        name: 'rating',
        'aria-label': `${rating}, ${name}`,
        onclick: choose,
      });
      return h('label', {}, input, `${rating}`);
    });
    return h(
      'fieldset',
      {},
      h('legend', {}, `${rate} `, h('span', {}, optional)),
      h('div', { class: 'rates' }, ...choices),
      h('div', { class: 'ends', 'aria-hidden': 'true' }, h('span', {}, rate1), h('span', {}, rate5)),
    );
  }

  /** The characters of the text, as the service counts them. */
  get #length(): number {
    return [...this.#text.value].length;
  }

  #showCount(): void {
    this.#count.textContent = fillIn(this.#labels.count, this.#length.toLocaleString(), MOST);
  }

  /** The Enter key in a field other than the text submits the form. */
  #onEnter(event: Event): void {
    event.preventDefault();
    void this.#trySend();
  }

  async #trySend(): Promise<void> {
    if (this.#isSending) return;
    const message = this.#text.value;
    const fault = message.trim() ? this.#length > MESSAGE_CHARACTERS_MAX && 'long' : 'empty';
    if (fault) {
      this.#fail(fillIn(this.#labels[fault], MOST), this.#labels.send);
      this.focus();
      return;
    }
    const content = {
      message,
      path: location.pathname.slice(0, PATH_CHARACTERS_MAX),
      ...(this.#rating > 0 && { rating: this.#rating }),
    };
    const id = this.#idOf(content);
    this.#setSending(true);
    const elapsedMs = Math.round(performance.now() - this.#openedAt);
    const result = await this.#send(id, content, { website: this.#website.value, elapsedMs });
    this.#setSending(false);
    if (result === 'received') this.received(id);
    else this.#fail(this.#labels[result], this.#labels.again);
  }

  #idOf(content: Content): string {
    const text = JSON.stringify(content);
    if (this.#attempt.content !== text) this.#attempt = { content: text, id: newSubmissionId() };
    return this.#attempt.id;
  }

  /** While it is being sent, the text stays as it is. The button keeps the focus, so it is not disabled. */
  #setSending(isSending: boolean): void {
    this.#isSending = isSending;
    this.#text.readOnly = isSending;
    this.#submit.setAttribute('aria-disabled', String(isSending));
    if (!isSending) return;
    this.#submit.textContent = this.#labels.sending;
    this.#error.replaceChildren();
  }

  #fail(reason: string, next: string): void {
    const isKnown = reason !== this.#labels.lost;
    const text = h('p', {}, isKnown && h('b', {}, this.#labels.notSent), ` ${reason}`);
    this.#error.replaceChildren(h('div', { class: 'wrong' }, text));
    this.#submit.textContent = next;
  }
}

function icon(path: string): Element {
  return s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: path }));
}
