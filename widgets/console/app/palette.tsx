import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useOpened } from '../parts/form/use-asked.ts';
import { Icon } from '../parts/frame/icon.tsx';
import { signal } from '../parts/loading/signal.ts';

type Open = ComponentType<{ readonly onClose: () => void }>;

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The number of times that the palette was asked for. */
const asked = signal(0);

export function openPalette(): void {
  asked.set(asked.get() + 1);
}

/** The button "Search or run" of the side column. */
export function PaletteButton() {
  return (
    <button type="button" class="find" onClick={openPalette}>
      <Icon name="search" size={14} />
      <span>Search or run</span>
      <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** The button of the bar of a narrow page. */
export function PaletteIconButton() {
  return (
    <button type="button" class="btn quiet square" aria-label="Search or run a command" onClick={openPalette}>
      <Icon name="search" />
    </button>
  );
}

/** The place of the palette: it opens by the buttons and by Ctrl K (⌘ K). Its code is loaded when it is first opened. */
export function PaletteHost() {
  const [shown, show] = useOpened<true>();
  const [Palette, setPalette] = useState<Open | null>(null);
  // From the moment on at which the button says so, and not a frame later.
  useLayoutEffect(() => asked.listen(() => show(true)));
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // A dialog that is open asks for something first.
      if (document.querySelector('dialog[open]') === null) openPalette();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (shown === null || Palette !== null) return;
    const load = async () => {
      const { Palette: loaded } = await import('./palette-open.tsx');
      setPalette(() => loaded);
    };
    // Without its code the palette can only be opened again.
    load().catch(() => show(null));
  }, [shown, show, Palette]);
  return shown !== null && Palette !== null ? <Palette onClose={() => show(null)} /> : null;
}
