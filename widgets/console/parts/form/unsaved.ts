import { signal } from '../loading/signal.ts';

/** A value that would be lost if the page were left now, in words: "Key “checkout-eu”". */
interface Unsaved {
  readonly words: string;
}

const unsaved = signal<readonly Unsaved[]>([]);

/** The browser asks before it leaves the page. */
const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
unsaved.listen((all) => {
  // In the same step as the change: an effect comes too late for a page that is left at once.
  if (all.length > 0) addEventListener('beforeunload', askBeforeUnload);
  else removeEventListener('beforeunload', askBeforeUnload);
});

/** Has the browser, and what ends the session, ask before the page is left. Returns the end of that. */
export function holdPage(words: string): () => void {
  const held = { words };
  unsaved.set([...unsaved.get(), held]);
  return () => unsaved.set(unsaved.get().filter((each) => each !== held));
}

/** Ends every hold: the person has decided to lose the values. */
export function releasePage(): void {
  unsaved.set([]);
}

/** The values of this page that would be lost. */
export function unsavedWords(): readonly string[] {
  return unsaved.get().map(({ words }) => words);
}
