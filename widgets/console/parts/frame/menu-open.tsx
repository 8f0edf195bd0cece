import * as menu from '@zag-js/menu';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useId, useRef } from 'preact/hooks';
import { visibleText } from '../table/visible-text.ts';
import { Icon } from './icon.tsx';

/** One line of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** A second line: "Admin", "Only an owner may". */
  readonly hint?: string;
  /** True for the one that holds now. */
  readonly isChosen?: boolean;
  readonly isDanger?: boolean;
  /** True if it cannot be chosen now; its hint says why. */
  readonly isOff?: boolean;
  readonly onChoose: () => void;
}

export interface MenuProps {
  /** The name of the list, and of the button unless it has words. */
  readonly label: string;
  readonly class: string;
  readonly items: readonly MenuItem[];
  /** True if the content of the button is its name. */
  readonly hasWords?: boolean;
  /** True for the button that Enter presses in a row of a table. */
  readonly isOpener?: boolean;
  /** The content of the button. */
  readonly children: ComponentChildren;
}

/** The menu once its code is here: it takes the place of the button of `Menu` and opens at once. */
export function OpenMenu({ label, class: className, items, hasWords, isOpener, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const service = useMachine(menu.machine, {
    id: useId(),
    'aria-label': visibleText(label),
    defaultOpen: true,
    positioning: { placement: 'bottom-start', strategy: 'fixed', gutter: 4 },
    onSelect: ({ value }) => {
      // A dialog that the choice opens gives the focus back to where it was, and the list is gone by then.
      button.current?.focus({ preventScroll: true });
      items.find(({ id }) => id === value)?.onChoose();
    },
  });
  const api = menu.connect(service, normalizeProps);
  return (
    <>
      <button
        {...api.getTriggerProps()}
        ref={button}
        type="button"
        class={className}
        aria-label={hasWords === true ? undefined : visibleText(label)}
        data-open={isOpener === true ? '' : undefined}
      >
        {children}
      </button>
      {createPortal(
        <div {...api.getPositionerProps()}>
          <ul {...api.getContentProps()} class="menu">
            {items.map((item) => (
              <li
                key={item.id}
                {...api.getItemProps({
                  value: item.id,
                  disabled: item.isOff === true,
                  valueText: item.label,
                })}
                class={item.isDanger === true ? 'danger-text' : undefined}
              >
                <span>
                  {visibleText(item.label)}
                  {item.hint !== undefined && <span class="hint">{visibleText(item.hint)}</span>}
                </span>
                {item.isChosen === true && <Icon name="check" size={14} />}
              </li>
            ))}
          </ul>
        </div>,
        document.body,
      )}
    </>
  );
}
