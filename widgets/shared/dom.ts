const SVG = 'http://www.w3.org/2000/svg';

/** Listeners by `on` and the event's name, attributes by their names. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | null | ((event: never) => void)>
>;
export type Child = Node | string | null | false;

/** Makes an HTML element. Text becomes text nodes, so nothing in it is ever read as HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function s(tag: string, attributes: Attributes, ...children: readonly Child[]): Element {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Makes a heading. A page sets its level so that no level is left out; 3 for anything but 2 to 6. */
export function heading(level: number, text: string, attributes: Attributes = {}): HTMLElement {
  return h(`h${level > 1 && level < 7 ? level : 3}` as 'h3', attributes, text);
}

/** Makes a text that only screen readers get. The style sheet has the class. */
export function hidden(text: string): HTMLElement {
  return h('span', { class: 'vh' }, text);
}

/** A bar that is filled to a share between 0 and 1. Words beside it say the same. */
export function bar(share: number): HTMLElement {
  const filled = h('div');
  // Not an attribute, which the page's Content-Security-Policy could refuse.
  filled.style.width = `${100 * share}%`;
  return h('div', { class: 'bar' }, filled);
}

/** A circle with a tick in it, or an empty one. */
export function tick(isDone = true): HTMLElement {
  return h('div', { class: isDone ? 'tick' : 'tick ring' });
}

/** Makes a button. In a form it would send it. */
export function button(
  label: string,
  onclick: (event: MouseEvent) => void,
  more: Attributes = {},
): HTMLButtonElement {
  return h('button', { onclick, ...more }, label);
}

/** Gives an element attributes, listeners and children. */
export function fill<Made extends Element>(
  made: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else made.setAttribute(name, String(value));
  }
  made.append(...(children.filter((child) => child) as (Node | string)[]));
  return made;
}
