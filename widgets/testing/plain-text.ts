import type { Page } from 'playwright-core';

/** Markup that a customer or agent writes where a text belongs. {@link textFaults} finds it if a page obeys it. */
export const MARKUP = '<img src=x onerror="foreign()"><b class=foreign>';

/** Attributes that a person reads or hears. */
const READ_ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'];

/**
 * Returns what a page shows in another way than as plain, visible text: elements of {@link MARKUP}, and controls, bidi and other
 * characters without a shape.
 */
export async function textFaults(page: Page): Promise<string[]> {
  return await page.evaluate((attributes) => {
    // The document's own lines end, and a tooltip has two of them.
    const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    const faults = [...document.querySelectorAll('.foreign, img')].map((element) => element.outerHTML);
    const read = (where: string, text: string | null) => {
      if (text !== null && hidden.test(text)) faults.push(`${where}: ${encodeURI(text)}`);
    };
    read('title of the page', document.title);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      read(node.parentElement?.outerHTML.slice(0, 80) ?? 'text', node.nodeValue);
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of attributes) read(`${element.tagName} ${name}`, element.getAttribute(name));
    }
    return faults;
  }, READ_ATTRIBUTES);
}
