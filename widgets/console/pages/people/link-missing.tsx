import type { ComponentChildren } from 'preact';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Solo } from './solo.tsx';

/** A page for a one-time link that was opened without its code. `children`: where the link comes from. */
export function LinkMissing({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Solo title={title}>
      <div class="notice">
        <div>
          <strong>This page opens from a link</strong>
          The address has no code. Open the whole link again. {children}
        </div>
      </div>
      <p class="hint">
        Have an account? <PageLink to="/sign-in">Sign in</PageLink>
      </p>
    </Solo>
  );
}
