/** The elements that a press is for. A dialog takes presses too: one outside of its content closes it. */
const PRESSED = 'a[href], button, input, select, textarea, label, summary, tr, dialog';

/** A control that took the place of another one takes no press for this long, and what has opened no key that acts. */
export const SETTLED_MS = 500;

/** A pointer that has moved farther than this aims at what is there now. */
const STEADY_PX = 16;

/** The controls that a held key presses once: a button, a row that opens, a field whose Enter sends its form. */
const HELD_ONCE = [HTMLButtonElement, HTMLTableRowElement, HTMLInputElement];

/** The changes of a page that can put another control under the pointer. */
const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ['class', 'style', 'hidden', 'open', 'href'],
};

/** A control as a person sees it. The same element with other words does another thing. */
interface Seen {
  readonly element: Element | null;
  readonly words: string;
}

function seen(target: unknown): Seen {
  const element = target instanceof Element ? target.closest(PRESSED) : null;
  if (element instanceof HTMLAnchorElement) return { element, words: element.href };
  return { element, words: element instanceof HTMLButtonElement ? (element.textContent ?? '') : '' };
}

function isSame(one: Seen, other: Seen): boolean {
  return one.element === other.element && one.words === other.words;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Swallows presses that a person has aimed at something else: those on a control that the page, and not the person, has put
 * under the pointer or the focus a moment ago, such as the second half of a double click on "Pause".
 */
export function guardPresses(): void {
  const onChanges = [guardPointer(), guardKeys()];
  new MutationObserver(() => {
    for (const onChange of onChanges) onChange();
  }).observe(document, WATCHED);
}

/** Returns what is to be called after each change of the page. */
function guardPointer(): () => void {
  let at = { x: -1, y: -1 };
  let below = seen(null);
  /** The place and the time of the last replacement below the pointer. */
  let replaced = { ...at, time: Number.NEGATIVE_INFINITY };
  let isChanged = false;
  const look = () => {
    if (!isChanged) return;
    isChanged = false;
    const now = seen(document.elementFromPoint(at.x, at.y));
    if (!isSame(below, now)) replaced = { ...at, time: performance.now() };
    below = now;
  };
  const move = ({ clientX, clientY, target }: PointerEvent) => {
    look();
    at = { x: clientX, y: clientY };
    const now = seen(target);
    const isSteady = Math.hypot(at.x - replaced.x, at.y - replaced.y) <= STEADY_PX;
    if (!isSame(below, now) || !isSteady) replaced = { ...at, time: Number.NEGATIVE_INFINITY };
    below = now;
  };
  addEventListener('pointermove', move, true);
  // A finger comes without a movement.
  addEventListener('pointerdown', move, true);
  addEventListener(
    'click',
    (event) => {
      // Keys and programs press without a pointer.
      if (!event.isTrusted || event.detail === 0) return;
      look();
      if (performance.now() - replaced.time < SETTLED_MS) swallow(event);
    },
    true,
  );
  return () => {
    // Between two frames, an act can begin and end.
    const now = seen(below.element);
    if (!isSame(below, now)) replaced = { ...at, time: performance.now() };
    below = now;
    if (!isChanged) requestAnimationFrame(look);
    isChanged = true;
  };
}

/** Returns what is to be called after each change of the page. */
function guardKeys(): () => void {
  let last: { readonly control: Seen; readonly at: number; isChanged?: boolean } | null = null;
  // The person continues: what has the focus then is meant.
  const forget = () => {
    last = null;
  };
  addEventListener('input', forget, true);
  addEventListener('pointerdown', forget, true);
  addEventListener(
    'keydown',
    (event) => {
      const target = document.activeElement;
      const isTyped = event.key === ' ' && target instanceof HTMLInputElement && target.type !== 'checkbox';
      if (!['Enter', ' '].includes(event.key) || isTyped || target instanceof HTMLTextAreaElement) {
        forget();
        return;
      }
      const control = seen(target);
      const isHeld = event.repeat && HELD_ONCE.some((type) => control.element instanceof type);
      const isReplaced =
        last !== null &&
        (last.isChanged === true || !isSame(last.control, control)) &&
        performance.now() - last.at < SETTLED_MS;
      if (isHeld || isReplaced) swallow(event);
      else last = { control, at: performance.now() };
    },
    true,
  );
  return () => {
    if (last !== null && !isSame(last.control, seen(last.control.element))) last.isChanged = true;
  };
}
