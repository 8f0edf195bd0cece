import { options, type VNode } from 'preact';

/** The elements by which the translation of a browser has replaced texts. */
const translations = new WeakMap<Node, Element>();

/** Elements of data, which no browser translates. */
const DATA = ['code', 'kbd', 'samp', 'time'];

/** A vnode with its node of the page, which Preact names so in its releases. */
interface Placed extends VNode {
  readonly __e?: Node | null;
}

/**
 * Keeps a page true that the browser translates. The translation puts `<font>` in the place of each text, and Preact continues to write
 * into the text that was taken away, which shows nothing. Such a text comes back once it changes, and its translation goes with it. A
 * node that Preact puts before such a text goes before its translation.
 */
export function keepTranslatedTexts(): void {
  const changes = new MutationObserver((records) => {
    for (const { target } of records) translations.get(target)?.replaceWith(target);
  });
  const replacements = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      const [text] = removedNodes;
      const font = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
      if (!(text instanceof Text) || font === undefined) continue;
      if (text.isConnected && !font.contains(text)) continue;
      insertAmongTranslations();
      translations.set(text, font);
      changes.observe(text, { characterData: true });
    }
  });
  replacements.observe(document.body, { childList: true, subtree: true });
  const { unmount, vnode } = options;
  options.unmount = (gone: Placed) => {
    unmount?.(gone);
    if (gone.__e) translations.get(gone.__e)?.remove();
  };
  options.vnode = (made: VNode<{ translate?: boolean }>) => {
    if (DATA.includes(String(made.type))) made.props.translate ??= false;
    vnode?.(made);
  };
}

let isInserting = false;

/** Changes the method for the whole page, and only once a browser translates it. */
function insertAmongTranslations(): void {
  if (isInserting) return;
  isInserting = true;
  const { insertBefore } = Node.prototype;
  Node.prototype.insertBefore = function <Inserted extends Node>(
    node: Inserted,
    before: Node | null,
  ): Inserted {
    const isHere = before === null || before.parentNode === this;
    return insertBefore.call(this, node, isHere ? before : (translations.get(before) ?? before)) as Inserted;
  };
}

function isTranslation(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}
