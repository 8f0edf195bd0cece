import { useEffect } from 'preact/hooks';
import { signal } from '../loading/signal.ts';
import { visibleText } from '../table/visible-text.ts';
import { useShortcuts } from './shortcuts.ts';

/** An act that can be undone. */
export interface UndoableAct {
  /** Acts of one kind, each within the time of the toast before, are one run with one undo. */
  readonly kind: string;
  /** The part of the act that the text of its run needs. */
  readonly what: string;
  /** Rejects if the act is not undone. */
  readonly undo: () => Promise<unknown>;
}

type Run = readonly UndoableAct[];

interface Toast {
  readonly text: string;
  /** The acts that can be undone, in their order. */
  readonly run: Run;
  readonly textOf: (run: Run) => string;
}

/** Nothing that has to be read vanishes by time: a toast repeats what the page shows. */
const SHOWN_MS = 6_000;

const current = signal<Toast | null>(null);

/** Says that something is done. Errors stand in place, never here. */
export function toast(text: string): void {
  show([], () => text);
}

/** Says that an act is done, with its undo. `textOf` describes the run that ends with it. */
export function toastUndoable(act: UndoableAct, textOf: Toast['textOf']): void {
  const before = current.get()?.run.filter(({ kind }) => kind === act.kind) ?? [];
  show([...before, act], textOf);
}

function show(run: Run, textOf: Toast['textOf']): void {
  current.set({ text: visibleText(textOf(run)), run, textOf });
}

/** Undoes a run from its last act on. A failure stands in place, and the toast continues with the acts that are left. */
async function undo({ run, textOf }: Toast): Promise<void> {
  current.set(null);
  const left = [...run];
  try {
    for (let act = left.at(-1); act !== undefined; act = left.at(-1)) {
      await act.undo();
      left.pop();
    }
  } catch {
    show(left, textOf);
  }
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
          {shown.run.length > 0 && <Undo shown={shown} />}
        </p>
      )}
    </div>
  );
}

function Undo({ shown }: { readonly shown: Toast }) {
  const label = shown.run.length === 1 ? 'Undo' : 'Undo all';
  const act = () => void undo(shown);
  useShortcuts([{ keys: 'z', about: `${label}: ${shown.text}`, isAct: true, run: act }]);
  return (
    <button type="button" class="link" onClick={act}>
      {label}
    </button>
  );
}
