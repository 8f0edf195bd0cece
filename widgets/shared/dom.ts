const SVG = 'http://www.w3.org/2000/svg';

/** Names an element that can have the focus, so that its successor gets it after a change. */
export const PLACE = 'data-place';

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
export function bar(share: number): Element {
  const filled = s('rect', { width: `${100 * share}%`, height: '100%' });
  return s('svg', { class: 'bar', 'aria-hidden': 'true' }, filled);
}

/** A circle with a tick in it, or an empty one. */
export function tick(isDone = true): Element {
  return s(
    'svg',
    { class: isDone ? 'tick' : 'tick ring', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    s('circle', { cx: 10, cy: 10, r: 9 }),
    isDone && s('path', { d: 'm6 10.3 2.7 2.7L14 7.4' }),
  );
}

/** Makes a button that does not send a form. */
export function button(
  label: string,
  onclick: (event: MouseEvent) => void,
  more: Attributes = {},
): HTMLButtonElement {
  return h('button', { type: 'button', [PLACE]: '', onclick, ...more }, label);
}

function fill<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else made.setAttribute(name, String(value));
  }
  made.append(...(children.filter((child) => child) as (Node | string)[]));
  return made;
}
