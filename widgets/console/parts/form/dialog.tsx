import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { AwayNotice } from '../loading/away-notice.tsx';
import { signal } from '../loading/signal.ts';
import { visibleText } from '../table/visible-text.ts';
import { afterBack, useHeldBack } from './use-asked.ts';

interface DialogProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** Called when the person closes it. It is shown for as long as it is rendered. */
  readonly onClose: () => void;
  /** True while something in it would be lost: then Esc and a click outside leave it open. */
  readonly keepsOpen?: boolean;
  /** True while what it sends is not answered: then Back leaves it open too, so that a failure has a place. */
  readonly isPending?: boolean;
  readonly children: ComponentChildren;
}

/** The number of dialogs that are open. */
const open = signal(0);

/**
 * Calls back once no dialog is open: below one, nothing can take the focus, and its end gives the focus back to where it was. The
 * step back that closes a dialog scrolls the page to where it was, so that has to be taken, too. Returns the end of the waiting.
 */
export function afterDialogs(act: () => void): () => void {
  if (open.get() === 0) {
    afterBack(act);
    return () => undefined;
  }
  const stop = open.listen((count) => {
    if (count > 0) return;
    stop();
    afterBack(act);
  });
  return stop;
}

/**
 * A modal dialog. Rendering it opens it: the focus goes into it, and back to where it was when it is no longer rendered.
 * Forms that fit on the page stay on the page.
 */
export function Dialog(props: DialogProps) {
  const { title, hint, onClose, isPending = false, keepsOpen = isPending, children } = props;
  const id = useId();
  useHeldBack(isPending);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    open.set(open.get() + 1);
    return () => {
      // Only a dialog that is closed gives the focus back; removing it does not.
      shown?.close();
      open.set(open.get() - 1);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it by keyboard.
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!keepsOpen) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !keepsOpen) onClose();
      }}
    >
      <div class="dialog-in">
        <h2 id={id}>{visibleText(title)}</h2>
        {hint !== undefined && <p class="hint">{hint}</p>}
        {children}
        {/* The bar of the page lies below the dialog, where it is not read out. */}
        <div role="status">
          <AwayNotice />
        </div>
      </div>
    </dialog>
  );
}
