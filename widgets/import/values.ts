import { h } from '../shared/dom.ts';

/** Stands for a value in a text: a character that no text has. */
export const VALUE = '\ue000';

/** Values with commas between them. */
export function listOf(values: readonly string[]): HTMLElement {
  const parts = values.flatMap((value) => [', ', h('bdi', {}, value)]);
  return h('span', { translate: 'no' }, ...parts.slice(1));
}

/** Puts a node in the place of {@link VALUE} in a text. */
export function around(text: string, node: Node): (Node | string)[] {
  const [before = '', after] = text.split(VALUE);
  return after === undefined ? [before] : [before, node, after];
}
