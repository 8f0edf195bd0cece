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
