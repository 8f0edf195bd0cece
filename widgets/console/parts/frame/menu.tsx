import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visibleText } from '../table/visible-text.ts';
import type { MenuProps } from './menu-open.tsx';

export type { MenuItem } from './menu-open.tsx';

/** Loads the code of an open menu, once. */
const loadOpenMenu = async () => (await import('./menu-open.tsx')).OpenMenu;

/**
 * A button that opens a list of actions. The code of the list is loaded when the button is pointed at, focused or pressed. Arrow
 * keys move, letters search, Enter chooses, Esc closes and gives the focus back.
 */
export function Menu({
  label,
  class: className,
  items,
  hasWords = false,
  isOpener = false,
  children,
}: MenuProps) {
  const [Open, setOpen] = useState<ComponentType<MenuProps> | null>(null);
  const isPressed = useRef(false);
  const load = async () => {
    const loaded = await loadOpenMenu();
    if (isPressed.current) setOpen(() => loaded);
  };
  // Without its code the button can only be pressed again.
  const begin = () => void load().catch(() => undefined);
  if (Open !== null) {
    return (
      <Open label={label} class={className} items={items} hasWords={hasWords} isOpener={isOpener}>
        {children}
      </Open>
    );
  }
  return (
    <button
      type="button"
      class={className}
      aria-label={hasWords ? undefined : visibleText(label)}
      aria-haspopup="menu"
      aria-expanded={false}
      data-open={isOpener ? '' : undefined}
      onPointerEnter={begin}
      onFocus={begin}
      onClick={() => {
        isPressed.current = true;
        begin();
      }}
    >
      {children}
    </button>
  );
}
