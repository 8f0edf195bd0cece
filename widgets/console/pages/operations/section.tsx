import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNarrow } from '../../parts/loading/signal.ts';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Says what the numbers are. */
  readonly about?: string;
  /** The state of the section in a few words, for a phone. */
  readonly brief: ComponentChildren;
  /** Controls above the details, on a phone. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section with details. On a phone its title and state are one line, and a press or a link to it opens the rest. */
export function Section({ id, title, about, brief, actions, children }: SectionProps) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(() => location.hash === `#${id}`);
  useEffect(() => {
    const open = () => {
      if (location.hash === `#${id}`) setOpen(true);
    };
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, [id]);
  if (!isNarrow) {
    return (
      <section aria-labelledby={id}>
        <div class="section-head">
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p>{about}</p>}
        </div>
        {children}
      </section>
    );
  }
  const turn = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    // A link to the address that is already there would not open the section again.
    if (!isNowOpen && location.hash === `#${id}`)
      history.replaceState(history.state, '', location.pathname + location.search);
  };
  return (
    <details class="fold" open={isOpen} onToggle={(event) => turn(event.currentTarget.open)}>
      <summary>
        <h2 id={id}>{title}</h2>
        <span>{brief}</span>
      </summary>
      {isOpen && (
        <div class="fold-body">
          {about !== undefined && <p class="hint">{about}</p>}
          {actions}
          {children}
        </div>
      )}
    </details>
  );
}
