import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { PageLink } from './page-link.tsx';
import { visibleText } from './visible-text.ts';

/** A page above another one. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface PageHeadProps {
  readonly title: string;
  /** The pages above this one; none on the top level. Null stands for a page whose name is still read: the rest waits for it. */
  readonly crumbs?: readonly (Crumb | null)[];
  /** The last crumb where that is not the title, such as a shortened id. */
  readonly here?: string;
  /** The state badge, and tags beside it. */
  readonly state?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The line of facts below the title; null while they are read, which keeps the line's place. */
  readonly meta?: ComponentChildren;
}

/** The head of a page: where it is, its title, its state, its actions. Names the browser's tab too. */
export function PageHead({ crumbs = [], state, actions, meta, ...names }: PageHeadProps) {
  const title = visibleText(names.title);
  const here = visibleText(names.here ?? names.title);
  const unread = crumbs.indexOf(null);
  const known = crumbs.slice(0, unread < 0 ? undefined : unread).filter((crumb) => crumb !== null);
  useEffect(() => {
    document.title = `${title} · svc`;
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
            {unread < 0 && <li aria-current="page">{here}</li>}
          </ol>
        </nav>
      )}
      <div class="head-row">
        <h1>{title}</h1>
        {state}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {meta !== undefined && <p class="head-meta">{meta}</p>}
    </header>
  );
}
