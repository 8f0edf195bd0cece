import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Announcements } from '../../parts/frame/announce.tsx';
import { GUIDES } from '../../parts/frame/guides.ts';
import { ThemeButton } from '../../parts/frame/theme-button.tsx';

interface SoloProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of one column for a person who has not signed in: the product's name, one group of fields, nothing else. */
export function Solo({ title, hint, children }: SoloProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <div class="solo">
      <header>
        <span class="mark" aria-hidden="true">
          s
        </span>
        svc
        <div class="actions">
          <ThemeButton />
        </div>
      </header>
      <main>
        <div class="head">
          <h1>{title}</h1>
          {hint !== undefined && <p class="hint">{hint}</p>}
        </div>
        {children}
      </main>
      <footer>
        Agents need no account. <a href={GUIDES['agent workspaces']}>How they begin</a>
      </footer>
      <Announcements />
    </div>
  );
}
