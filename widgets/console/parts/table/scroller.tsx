import type { ComponentChildren } from 'preact';

interface ScrollerProps {
  /** The name of the region, which is not that of its section: "Rows table". */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** The box around a table: it scrolls sideways where the table is wider than the page, by keyboard too. */
export function Scroller({ label, children }: ScrollerProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to scroll by keyboard.
    <section class="table" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
