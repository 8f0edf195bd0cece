import { useEffect, useRef } from 'preact/hooks';
import { SETTLED_MS } from '../form/press-guard.ts';
import { singleKeysAreOn } from './shortcut-choice.ts';
import { matchKeys, type Shortcut } from './shortcut-keys.ts';

/** The time in which the second key of a sequence has to follow. */
const SEQUENCE_MS_MAX = 1_000;

/** The shortcuts of the frame and of the page, in the order in which they were given. */
const given = new Set<readonly Shortcut[]>();

/**
 * Gives a page its shortcuts for as long as it is shown. `?` lists them. A key that acts was not meant for what has opened only a
 * moment ago, such as the next message.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const openedAt = useRef(performance.now());
  useEffect(() => {
    const guarded = shortcuts.map((shortcut) => ({
      ...shortcut,
      run() {
        if (shortcut.isAct !== true || performance.now() - openedAt.current >= SETTLED_MS) shortcut.run();
      },
    }));
    given.add(guarded);
    return () => void given.delete(guarded);
  });
}

/** The shortcuts that work now. */
export function currentShortcuts(): readonly Shortcut[] {
  return [...given].flat();
}

/** Listens to the keys of all shortcuts. The frame calls it once. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let pressed: string[] = [];
    let last = 0;
    const onKey = (event: KeyboardEvent) => {
      if (!isForShortcuts(event)) return;
      pressed = event.timeStamp - last > SEQUENCE_MS_MAX ? [event.key] : [...pressed, event.key];
      last = event.timeStamp;
      const match = matchKeys(pressed, currentShortcuts());
      if (match === 'begun') return;
      pressed = [];
      if (match === null) return;
      event.preventDefault();
      match.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Keys that move in a table, from wherever the focus is. */
const ARROWS = ['ArrowUp', 'ArrowDown'];

/**
 * Keys that are typed into a field, that go to a dialog or a menu, or that have a modifier are no shortcuts. A key that is held
 * acts once.
 */
function isForShortcuts(event: KeyboardEvent): boolean {
  const isKnown = (event.key.length === 1 || ARROWS.includes(event.key)) && !event.repeat;
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || !isKnown) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, select, textarea, [contenteditable], [role="menu"]') != null) return false;
  return singleKeysAreOn() && document.querySelector('dialog[open]') === null;
}
