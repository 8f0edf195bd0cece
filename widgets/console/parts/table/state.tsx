import type { ComponentChildren } from 'preact';

/** The urgency of a state for a person. The shape says the same as the colour. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle';

/** Circle: in order. Triangle: needs you. Square: failed. Half circle: under way. Bar: ended. */
export function Shape({ tone }: { readonly tone: Tone }) {
  return (
    <svg class="shape" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {tone === 'ok' && <circle cx="5" cy="5" r="4" />}
      {tone === 'warn' && <path d="M5 .8 9.6 9H.4Z" />}
      {tone === 'bad' && <rect x="1" y="1" width="8" height="8" rx="1.5" />}
      {tone === 'info' && (
        <>
          <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" />
          <path d="M5 1a4 4 0 0 1 0 8Z" />
        </>
      )}
      {tone === 'idle' && <rect x="1" y="4" width="8" height="2" rx="1" />}
    </svg>
  );
}

interface StateProps {
  readonly tone: Tone;
  readonly children: ComponentChildren;
  /** Cause and cure, for the tooltip. Nothing that has to be read stands only there. */
  readonly title?: string;
}

/** The state in the header of a page: on a coloured ground, once a page. */
export function Badge({ tone, children, title }: StateProps) {
  return (
    <span class={`badge ${tone}`} title={title}>
      <Shape tone={tone} />
      {children}
    </span>
  );
}

/** The state in a row: the same shape and word without a ground. */
export function State({ tone, children, title }: StateProps) {
  return (
    <span class={`state ${tone}`} title={title}>
      <Shape tone={tone} />
      {children}
    </span>
  );
}
