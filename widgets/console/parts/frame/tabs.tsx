import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { count } from '../table/numbers.ts';
import { PageLink } from './page-link.tsx';

export interface Tab {
  /** The address of the tab. */
  readonly to: string;
  readonly label: string;
  /** The number of things in it, null while it is read; absent for a tab without a count. */
  readonly count?: number | null;
  /** True for a page below the tab as well; absent: on its own address only. */
  readonly isCurrent?: boolean;
}

/** Tabs below the head of a page. Each is an address, so that it can be linked, reloaded and gone back to. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const bar = useRef<HTMLElement>(null);
  const [address] = useLocation();
  const counts = tabs.map((tab) => tab.count).join();
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null) return;
    // It calls behind the layout of the frame. Sizes read in the effect itself would lay out a long page twice.
    const observer = new ResizeObserver(() => showCurrent(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [address, counts]);
  return (
    <nav class="tabs" aria-label={label} ref={bar}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <PageLink to={tab.to} {...(tab.isCurrent === undefined ? {} : { isCurrent: tab.isCurrent })}>
              {tab.label}
              {tab.count !== undefined && <span class="count">{tab.count !== null && count(tab.count)}</span>}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls a bar that is wider than the page to its current tab. The page itself stays where it is. */
function showCurrent(bar: HTMLElement): void {
  const current = bar.querySelector('[aria-current]');
  if (current === null) return;
  const [outer, inner] = [bar.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.right > outer.right) bar.scrollLeft += inner.right - outer.right + TAB_GAP_PX;
  if (inner.left < outer.left) bar.scrollLeft += inner.left - outer.left - TAB_GAP_PX;
}

/** The place that stays visible beside the current tab, so that its neighbour shows. */
const TAB_GAP_PX = 48;
