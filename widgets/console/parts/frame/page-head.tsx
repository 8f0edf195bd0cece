import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../table/visible-text.ts';
import { announce } from './announce.tsx';
import { PageLink } from './page-link.tsx';

/** A page above another one. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

export interface PageHeadProps {
  /** Null while it is read. */
  readonly title: string | null;
  /** The pages above this one; none on the top level. Null stands for a page whose name is still read: the rest waits for it. */
  readonly crumbs?: readonly (Crumb | null)[];
  /** The last crumb where that is not the title, such as a shortened id. */
  readonly here?: string;
  /** The state badge, and tags beside it. */
  readonly state?: ComponentChildren;
  /** Null while it is not known which there are, which keeps their line on a phone. */
  readonly actions?: ComponentChildren;
  /** The line of facts below the title; null while they are read, which keeps the line's place. */
  readonly meta?: ComponentChildren;
  /** The lines that the facts take on a phone. */
  readonly lines?: 1 | 2 | 3;
}

/** True if the title that is taken from the page has the focus: the next one gets it. */
let hadFocus = false;

/** The head of a page: where it is, its title, its state, its actions. Names the browser's tab too. */
export function PageHead({ crumbs = [], state, actions, meta, lines = 1, ...names }: PageHeadProps) {
  const title = names.title === null ? null : visibleText(names.title);
  const here = visibleText(names.here ?? names.title ?? '');
  const unread = crumbs.indexOf(null);
  const known = crumbs.slice(0, unread < 0 ? undefined : unread).filter((crumb) => crumb !== null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isAwaited = useRef(false);
  useLayoutEffect(() => {
    const shown = heading.current;
    if (hadFocus) shown?.focus({ preventScroll: true });
    hadFocus = false;
    return () => {
      hadFocus = document.activeElement === shown;
    };
  }, []);
  useEffect(() => {
    isAwaited.current ||= title === null;
    if (title === null) return;
    document.title = `${title} · svc`;
    // Who came here while the page had no name has heard none.
    if (isAwaited.current && document.activeElement === heading.current) announce(title);
    isAwaited.current = false;
  }, [title]);
  return (
    <header class="head">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Breadcrumb">
          <ol>
            {known.map(({ label, to }) => (
              <li key={to}>
                <PageLink to={to} isCurrent={false}>
                  {visibleText(label)}
                </PageLink>
              </li>
            ))}
            {unread < 0 && here !== '' && <li aria-current="page">{here}</li>}
          </ol>
        </nav>
      )}
      <div class="head-row">
        <h1 tabIndex={-1} ref={heading}>
          {title ?? <NameToCome />}
        </h1>
        {state}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {meta !== undefined && <p class={`head-meta lines-${lines}`}>{meta}</p>}
    </header>
  );
}

function NameToCome() {
  return (
    <>
      <span class="vh">Loading</span>
      <span class="bone title" />
    </>
  );
}
