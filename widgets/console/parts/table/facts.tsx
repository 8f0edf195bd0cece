import type { ComponentChildren } from 'preact';

/** Facts about one thing, a line each: names at the start, values at the end. `inset`: inside of a panel. */
export function Facts({
  inset = false,
  children,
}: {
  readonly inset?: boolean;
  readonly children: ComponentChildren;
}) {
  return <dl class={inset ? 'facts inset' : 'facts'}>{children}</dl>;
}

/** One line of {@link Facts}. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
