import { useEffect } from 'preact/hooks';
import { signal } from '../loading/signal.ts';
import { visibleText } from '../table/visible-text.ts';

interface Toast {
  readonly text: string;
  readonly undo: (() => void) | null;
}

/** Nothing that has to be read vanishes by time: a toast repeats what the page shows. */
const SHOWN_MS = 6_000;

const current = signal<Toast | null>(null);

/** Says that something is done, with its undo where there is one. Errors stand in place, never here. */
export function toast(text: string, undo: (() => void) | null = null): void {
  current.set({ text: visibleText(text), undo });
}

/** The place where toasts appear: one at a time. */
export function Toasts() {
  const shown = current.use();
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => current.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div class="toasts" role="status">
      {shown !== null && (
        <p class="toast">
          {shown.text}
          {shown.undo !== null && (
            <button
              type="button"
              class="link"
              onClick={() => {
                shown.undo?.();
                current.set(null);
              }}
            >
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
