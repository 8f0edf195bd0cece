import { signal } from '../loading/signal.ts';

const status = signal('');

/** Says a short sentence to assistive technology, once: "Copied". */
export function announce(sentence: string): void {
  // The same sentence again has to be a change.
  status.set(status.get() === sentence ? `${sentence}\u00a0` : sentence);
}

/** The one live region of a page. */
export function Announcements() {
  const sentence = status.use();
  return (
    <div class="vh" role="status">
      {sentence}
    </div>
  );
}
