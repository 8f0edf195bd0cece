import type { ComponentChildren } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { warm } from '../loading/warm.ts';

interface PageLinkProps {
  readonly to: string;
  readonly class?: string;
  /** True for the link to the page that is shown, or to the part of the console that it belongs to. */
  readonly isCurrent?: boolean;
  /** True if the page takes the place of the current entry of the history. */
  readonly replace?: boolean;
  readonly children: ComponentChildren;
}

/** A link to another page of the console. Pointing at it or focusing it loads the code of the page ahead. */
export function PageLink({ to, class: className, isCurrent, replace = false, children }: PageLinkProps) {
  const [address] = useLocation();
  const current = isCurrent ?? address === to.split('?')[0];
  return (
    <Link
      href={to}
      class={className}
      replace={replace}
      aria-current={current ? 'page' : undefined}
      onPointerEnter={() => warm(to)}
      onFocus={() => warm(to)}
    >
      {children}
    </Link>
  );
}
