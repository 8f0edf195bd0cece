/** The part of a page that belongs to one widget. */
export interface Root {
  readonly shadow: ShadowRoot;
  /** True while the widget is part of the page. */
  isHere(): boolean;
  /** Takes the widget off the page. */
  remove(): void;
}

/**
 * Appends a shadow root with a style sheet to an element of the page. The sheet is constructed, so the page's
 * Content-Security-Policy needs no word about styles.
 */
export function openRoot(element: Element, css: string): Root {
  const host = document.createElement('div');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  element.append(host);
  return { shadow, isHere: () => host.isConnected, remove: () => host.remove() };
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
