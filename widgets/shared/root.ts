import { isComposing } from './composing.ts';
import { takeTheme } from './theme.ts';

/** The callbacks of a widget that a page takes in and takes away. */
export interface Life {
  /** Called each time that the widget is put into a page. */
  in(): void;
  /** Called each time that it is taken out: a page that moves it takes it out and puts it in. */
  out(): void;
}

const TAG = 'svc-widget';

/**
 * The events of keys and of what they do to a field. A page that listens to them takes a widget's field for no field, because
 * their target is the element around it.
 */
const KEYS = ['keydown', 'keypress', 'keyup', 'paste', 'copy', 'cut'];

/** The shadow roots of widgets. */
const roots = new WeakSet<EventTarget>();
/** The key that was last pressed in a widget: the page does not hear of its release either, wherever the focus is then. */
let pressed: string | null = null;

/**
 * Keeps an event of a widget from the page, and from the widget too, which leaves keys to its elements. The page hears of the Tab key, by
 * which dialogs keep the focus inside, and of an Escape that does nothing in the widget.
 */
function keep(event: Event): void {
  const { type, code, key } = event as KeyboardEvent;
  const root = event.composedPath().find((node) => roots.has(node)) as ShadowRoot | undefined;
  const isKept =
    root && (key !== 'Escape' || isComposing(event as KeyboardEvent) || root.querySelector('dialog[open]'));
  if (type === 'keydown') pressed = isKept ? code : null;
  if ((isKept || (type === 'keyup' && code === pressed)) && key !== 'Tab') event.stopImmediatePropagation();
}

/** A copy that a page has made of a widget, for its history for example, has no content. It takes itself away. */
class Host extends HTMLElement {
  declare life?: Life;

  connectedCallback(): void {
    if (this.life) {
      this.life.in();
      takeTheme(this.shadowRoot as ShadowRoot);
    } else this.remove();
  }

  disconnectedCallback(): void {
    this.life?.out();
  }
}

// Another widget, or another copy of the script, may have defined it.
if (!customElements.get(TAG)) customElements.define(TAG, Host);
// Before listeners that the page adds later, and those of its document.
for (const type of KEYS) addEventListener(type, keep, true);

/**
 * Makes the element of a widget, with a shadow root and a style sheet. The sheet is constructed, so the page's
 * Content-Security-Policy needs no word about styles. The widget begins once the caller has put the element into the page.
 */
export function makeRoot(css: string, life: Life): ShadowRoot {
  const host = document.createElement(TAG) as Host;
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  roots.add(shadow);
  // In a closed shadow root of the page, the window does not see where an event comes from.
  for (const type of [...KEYS, 'input']) shadow.addEventListener(type, keep);
  // The text of a page changes its colour with the theme. The style sheet makes a transition of that.
  host.addEventListener('transitionend', () => takeTheme(shadow));
  host.life = life;
  return shadow;
}

/**
 * Tells the page's developer about a wrong call: in the browser's console, and through the page's `error` event. The page
 * continues.
 */
export function complain(message: string): void {
  reportError(new TypeError(message));
}

/** Tells the page about something that has happened: by an event of the element, and by the page's callback. */
export function tell<Detail>(
  element: Element,
  type: string,
  callback?: (detail: Detail) => void,
  detail?: Detail,
): void {
  element.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  try {
    callback?.(detail as Detail);
  } catch (error) {
    reportError(error);
  }
}
