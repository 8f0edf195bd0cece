import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

/**
 * A hook: a value of the address's query that says what is open on the page, such as `?do=create-key`, and how to change it.
 * Null: it is absent. Links, the palette and a reload open the same.
 */
export function useAsked(name: string): readonly [value: string | null, ask: (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const ask = (value: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [params.get(name), ask];
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
    element.current?.querySelector<HTMLElement>('button, input:not([aria-hidden])')?.focus();
  }, [asked, value]);
  return element;
}
