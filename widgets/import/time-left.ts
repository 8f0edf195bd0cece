import type { Card } from './card.ts';

/** The time before an estimate is shown: the first parts say little about the others. */
const SETTLING_MS = 3_000;

/** Returns a function that says how long something still takes, from what it has done since its first call; '' at first. */
export function timeLeft(card: Pick<Card, 'text'>): (done: number, total: number) => string {
  let first: { readonly at: number; readonly done: number } | null = null;
  return (done, total) => {
    const now = performance.now();
    first ??= { at: now, done };
    const pace = (done - first.done) / (now - first.at);
    if (now - first.at < SETTLING_MS || !(pace > 0) || done >= total) return '';
    return card.text('left', Math.ceil((total - done) / pace / 1_000));
  };
}
