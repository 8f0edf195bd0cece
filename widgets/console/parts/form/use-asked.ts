import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

/**
 * A hook: a value of the address's query that says what is open on the page, such as `?do=create-key`, and how to change it.
 * Null: it is absent. Links, the palette and a reload open the same.
 */
export function useAsked(name: string): readonly [value: string | null, ask: (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get(name);
  const ask = (value: string | null) =>
    changeOpened({ name, before: asked, after: value }, (options) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      }, options),
    );
  return [asked, ask];
}

/** The open thing of one kind, before and after a change. */
interface Opening {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The way in which an address is changed. */
interface WriteOptions {
  readonly replace?: boolean;
  readonly state: unknown;
}

/** The acts that wait until the browser has taken a step back; null while none is under way. */
let afterStep: (() => void)[] | null = null;

/**
 * Opens, changes or closes the thing that the address names. Opening is an entry of the history, so that Back closes it, and
 * closing it goes back to the entry before. Whatever a link has opened is closed in place.
 */
export function changeOpened(opening: Opening, write: (options: WriteOptions) => void): void {
  const { name, before, after } = opening;
  const { state } = history;
  // A change of the entry that is being left would be lost.
  if (afterStep !== null) afterBack(() => changeOpened(opening, write));
  else if (after !== null && before === null) write({ state: { opened: name } });
  else if (after !== null || state?.opened !== name) write({ replace: true, state });
  else {
    afterStep = [];
    history.back();
  }
}

/** Calls back at once, or where a step back is under way once the browser has taken it. */
export function afterBack(act: () => void): void {
  if (afterStep === null) act();
  else afterStep.push(act);
}

/** Does what waits for a step back. An act may take the next step, for which the others wait again. */
function endStep(): void {
  const acts = afterStep ?? [];
  afterStep = null;
  for (const act of acts) afterBack(act);
}

/**
 * A hook: like `useState` for what is open on the page and has no place in the address. Opening it is an entry of the history, so
 * that Back closes it.
 */
export function useOpened<Shown>(): readonly [shown: Shown | null, show: (next: Shown | null) => void] {
  // A reload keeps the history, and forgets what was open.
  const name = `${useId()} ${performance.timeOrigin}`;
  const [shown, setShown] = useState<Shown | null>(null);
  // Before the next frame: a busy browser takes a step back before it.
  useLayoutEffect(() => {
    if (shown === null) return;
    const onPop = () => {
      if (history.state?.opened !== name) setShown(null);
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [shown, name]);
  const show = (next: Shown | null) => {
    setShown(next);
    const change = { name, before: shown === null ? null : name, after: next === null ? null : name };
    changeOpened(change, ({ replace, state }) => {
      if (replace !== true) history.pushState(state, '');
    });
  };
  return [shown, show];
}

/** The entry of the history that Back must not leave: what is open on it waits for an answer. */
interface HeldEntry {
  readonly href: string;
  readonly state: unknown;
}

/** One for each thing that waits, such as a question above a dialog. */
const held: HeldEntry[] = [];

/** Puts the entry back before any other part of the page reads the address. */
function stay(event: PopStateEvent): void {
  if (afterStep !== null) {
    // The other listeners change the page, between them too, and the browser restores the scrolled place after all of them.
    setTimeout(endStep);
    return;
  }
  const [entry] = held;
  if (entry === undefined) return;
  event.stopImmediatePropagation();
  history.pushState(entry.state, '', entry.href);
}

// In the phase before that in which the page changes, and before each listener that a part of the page adds.
addEventListener('popstate', stay, true);

/**
 * A hook: keeps what is open from being closed by Back, as Esc is ignored, while its change is under way. Its failure would have no
 * place. No change is under way for longer than its request may take.
 */
export function useHeldBack(isHeld: boolean): void {
  useLayoutEffect(() => {
    if (!isHeld) return;
    const entry = { href: location.href, state: history.state };
    held.push(entry);
    return () => {
      held.splice(held.indexOf(entry), 1);
    };
  }, [isHeld]);
}

/**
 * A hook: while the address asks for this value, such as `?do=pause`, the element of the returned reference is in view and its
 * first control has the focus.
 */
export function useArrival<Shown extends HTMLElement>(name: string, value: string): RefObject<Shown> {
  const [asked] = useAsked(name);
  const element = useRef<Shown>(null);
  useEffect(() => {
    if (asked !== value) return;
    element.current?.scrollIntoView({ block: 'center' });
    // What has just opened in it may have led the focus to its first field.
    if (element.current?.querySelector('input:focus')) return;
    element.current?.querySelector<HTMLElement>('button, input:not([aria-hidden])')?.focus();
  }, [asked, value]);
  return element;
}
