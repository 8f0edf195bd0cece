import type { Page } from 'playwright-core';

/** Fewer pixels are rounding. */
const MOVED_PX = 1;

/** Everything on a page that takes a press. A link that skips content is in sight only while it has the focus. */
const CONTROLS = ':is(a[href], button, input, select, textarea, summary):not(.skip)';

/** A control as it was when the page was looked at. */
interface Marked {
  readonly element: Element;
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** The additions to the watched page's global object. */
interface Watching {
  markedControls: readonly Marked[];
  focusedControl: Element | null;
}

/** The global object, in functions that run in the page. */
declare const window: typeof globalThis & Watching;

/**
 * Looks at the controls of a page again and again. Between two looks each has to stay the same element, at its place, and the
 * focus, which is on another one each time, has to stay where it was.
 */
export class SteadyControls {
  readonly #page: Page;
  #looks = 0;
  readonly #found = new Set<string>();

  readonly #takesFocus: boolean;

  /** @param options.takesFocus false leaves the focus where the page has it */
  constructor(page: Page, { takesFocus = true } = {}) {
    this.#page = page;
    this.#takesFocus = takesFocus;
  }

  /** The controls that did not stay, in words. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  /** Compares the controls with those of the look before, and marks those that are there now. */
  async look(): Promise<void> {
    this.#looks += 1;
    const found = await this.#page.evaluate(lookInPage, {
      selector: CONTROLS,
      movedPx: MOVED_PX,
      turn: this.#takesFocus ? this.#looks : null,
    });
    for (const fault of found) this.#found.add(fault);
  }
}

interface Look {
  readonly selector: string;
  readonly movedPx: number;
  /** Another control has the focus in each turn. Null: the page decides. */
  readonly turn: number | null;
}

/** Runs in the page. */
function lookInPage({ selector, movedPx, turn }: Look): string[] {
  const placeOf = (element: Element) => {
    const { x, y } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY };
  };
  const found: string[] = [];
  for (const { element, name, x, y } of window.markedControls ?? []) {
    if (!element.isConnected || !element.checkVisibility()) {
      found.push(`${name} is gone`);
      continue;
    }
    const now = placeOf(element);
    const isMoved = Math.abs(now.x - x) > movedPx || Math.abs(now.y - y) > movedPx;
    if (isMoved) found.push(`${name} has moved by ${now.x - x}, ${now.y - y}`);
  }
  const { focusedControl } = window;
  if (focusedControl?.isConnected && document.activeElement !== focusedControl) {
    found.push(`the focus went from ${focusedControl.textContent} to ${document.activeElement?.tagName}`);
  }
  const controls = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  window.markedControls = controls.map((element) => {
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    const name = `${element.tagName.toLowerCase()} "${label === '' ? element.id : label.slice(0, 40)}"`;
    return { element, name, ...placeOf(element) };
  });
  const next = turn === null ? undefined : controls[(turn * 7) % controls.length];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  window.focusedControl = document.activeElement;
  return found;
}
