/** The parts of a page that have a heading. */
const PARTS = 'section, aside, dialog';

/**
 * Leads the focus to a heading when what had it goes away: to that of its section, or else to the title of the page. The browser
 * would begin at the top of the page, and say nothing.
 */
export function leadLostFocus(): void {
  let held: Element | null = null;
  let around: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    held = target instanceof Element ? target : null;
    around = partsAround(held);
  });
  new MutationObserver(() => {
    if (held === null || held.isConnected || document.activeElement !== document.body) return;
    const heading =
      around
        .filter((part) => part.isConnected)
        .map((part) => part.querySelector<HTMLElement>('h2, h3'))
        .find((each) => each !== null) ?? document.querySelector('h1');
    if (heading === null) return;
    if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }).observe(document, { childList: true, subtree: true });
}

/** The parts that an element is in, the nearest one first. */
function partsAround(element: Element | null): Element[] {
  const part = element?.parentElement?.closest(PARTS) ?? null;
  return part === null ? [] : [part, ...partsAround(part)];
}
