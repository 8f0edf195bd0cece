import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

/** Entries of the history whose places are kept. */
const PLACES_MAX = 100;

/** A page that is not as high again by then stays where it is. */
const RESTORE_MS_MAX = 10_000;

/** The events of a person who goes elsewhere meanwhile. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** The scrolled distance of each entry of the history, by its number. */
const places = new Map<number, number>();
let entries = 0;

/** The number of the current entry; null before it has one. */
function entryNow(): number | null {
  const entry: unknown = history.state?.entry;
  return typeof entry === 'number' ? entry : null;
}

function keep(entry: number, px: number): void {
  places.delete(entry);
  places.set(entry, px);
  const [oldest] = places.keys();
  if (places.size > PLACES_MAX && oldest !== undefined) places.delete(oldest);
}

/** A hook: another page begins at its top, and going back to a page leads to the place where it was left. */
export function useScrolledPlaces(): void {
  const [address] = useLocation();
  const search = useSearch();
  const shown = useRef(address);
  /** The place to go back to; null where no Back or Forward is under way. */
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    const onPop = () => {
      wanted.current = location.pathname === shown.current ? null : (places.get(entryNow() ?? 0) ?? 0);
    };
    const onScroll = () => {
      const entry = entryNow();
      if (entry !== null && wanted.current === null) keep(entry, scrollY);
    };
    // In the phase before that in which the page changes.
    addEventListener('popstate', onPop, true);
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('popstate', onPop, true);
      removeEventListener('scroll', onScroll);
    };
  }, []);
  useLayoutEffect(() => {
    if (entryNow() === null) {
      entries += 1;
      history.replaceState({ ...history.state, entry: entries }, '');
    }
    if (shown.current === address) return;
    shown.current = address;
    const place = wanted.current;
    if (place === null) {
      scrollTo(0, 0);
      return;
    }
    return scrollWhenHigh(place, () => {
      wanted.current = null;
    });
  }, [address, search]);
}

/** Scrolls to a place as soon as the page is high enough, unless the person goes elsewhere. Returns the end of the waiting. */
function scrollWhenHigh(px: number, onEnd: () => void): () => void {
  const timer = setTimeout(end, RESTORE_MS_MAX);
  const observer = new ResizeObserver(() => {
    scrollTo(0, px);
    if (scrollY >= px - 1) end();
  });
  function end() {
    clearTimeout(timer);
    observer.disconnect();
    for (const move of MOVES) removeEventListener(move, end, true);
    onEnd();
  }
  for (const move of MOVES) addEventListener(move, end, true);
  observer.observe(document.body);
  return end;
}
