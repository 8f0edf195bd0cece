import { useSyncExternalStore } from 'preact/compat';

/** One value outside of all components, for what any of them may say: announcements, toasts. */
export interface Signal<Value> {
  get(): Value;
  set(next: Value): void;
  /** Calls the listener at each change. Returns the end of that. */
  listen(listener: (value: Value) => void): () => void;
  /** A hook: the value, and a new rendering when it changes. */
  use(): Value;
}

export function signal<Value>(first: Value): Signal<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    listen: (listener) => subscribe(() => listener(value)),
    use: () => useSyncExternalStore(subscribe, get),
  };
}

const narrow = () => matchMedia('(max-width: 680px)');

function listenToWidth(listener: () => void): () => void {
  const query = narrow();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** A hook: true while the window is as narrow as a phone. Only for what styles cannot do, such as another order. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listenToWidth, () => narrow().matches);
}
